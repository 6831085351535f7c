// RepeatedQuestions.cpp: a loop around the questions and the loop with checks.
//
//   before --> question --> ... --> copy without checks
//                 ^   |
//                 |   '---> ... --> loop with checks --> (its exits)
//                 '---- again <----' between two iterations
#include "RepeatedQuestions.h"
#include "CheckedCopies.h"
#include "PassOptions.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Of the branch to the question: a node of its own.
constexpr const char *kQuestion = "ompdsm.question";
/// Of the phis of both loops' headers that begin with the same value: a node that has the
/// question's.
constexpr const char *kBegin = "ompdsm.begin";
/// Of the loop around the question.
constexpr const char *kAround = "ompdsm.around.question";

/// Weights of the branch back to the question.
constexpr unsigned kAskWeight = 1, kOnWeight = 1u << 10;

/// Of so many instructions, as of an unrolled loop, a look is a small part.
constexpr unsigned kManyInstructions = 64;

/// A look between two iterations is worth it where these have loops, in themselves or in a callee,
/// or many instructions.
bool hasLongIterations(const Loop &loop) {
  if (!loop.isInnermost())
    return true;
  unsigned size = 0;
  for (const BasicBlock *block : loop.blocks()) {
    size += unsigned(block->size());
    if (any_of(*block, [](const Instruction &each) {
          return isa<CallBase>(each) && !isa<IntrinsicInst>(each);
        }))
      return true;
  }
  return size >= kManyInstructions;
}

/// A phi that counts iterations from 0: such are made for sections of inner loops.
bool countsIterations(const PHINode &phi, const Loop &loop) {
  const auto isNumber = [](const Value *value, std::uint64_t number) {
    const auto *constant = dyn_cast<ConstantInt>(value);
    return constant && constant->equalsInt(number);
  };
  const auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  return isNumber(phi.getIncomingValueForBlock(loop.getLoopPreheader()), 0) && next &&
         next->getOpcode() == Instruction::Add && next->getOperand(0) == &phi &&
         isNumber(next->getOperand(1), 1);
}

LoadInst *loadMissesServed(IRBuilderBase &builder) {
  Value *place = builder.CreateIntToPtr(builder.getInt64(OMPDSM_MISSES_SERVED), builder.getPtrTy());
  LoadInst *misses =
      builder.CreateAlignedLoad(builder.getInt32Ty(), place, Align(sizeof(std::uint32_t)),
                                /*isVolatile=*/true, "misses");
  misses->setNoSanitizeMetadata();
  return misses;
}

/// One question, and the loops behind it.
class Repetition {
public:
  /// `branch`: to the question.
  explicit Repetition(BranchInst &branch)
      : mark_(branch.getMetadata(kQuestion)), before_(branch.getParent()),
        question_(branch.getSuccessor(0)) {}

  /// Whether both loops are as they were, and all that they begin with can be said anew.
  bool find(LoopInfo &loops) {
    if (!question_->getSinglePredecessor())
      return false;
    for (Loop *loop : loops.getLoopsInPreorder())
      if (any_of(loop->getHeader()->phis(), [&](const PHINode &phi) { return markOf(phi); }))
        (isCheckedCopy(*loop) ? checked_ : copy_) = loop;
    if (!checked_ || !copy_ || !note(*checked_) || !note(*copy_))
      return false;
    beforeChecked_ = checked_->getLoopPreheader();
    beforeCopy_ = copy_->getLoopPreheader();
    return all_of(begins_, [](const auto &begin) { return begin.second.inChecked; });
  }

  void emit() {
    BasicBlock *header = checked_->getHeader(), *latch = checked_->getLoopLatch();
    const DebugLoc location = latch->getTerminator()->getDebugLoc();
    MDNode *const properties = checked_->getLoopID();
    between_ = SplitEdge(latch, header);
    again_ = BasicBlock::Create(header->getContext(), "ask.again", header->getParent(), header);
    latch->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
    markAround(*IRBuilder<>(again_).CreateBr(question_));
    again_->getTerminator()->setDebugLoc(location);
    branchBack(location).setMetadata(LLVMContext::MD_loop, properties);
    for (const auto &[mark, begin] : begins_)
      goOn(begin);
    if (!counters_.empty())
      goOnCounting();
  }

private:
  struct Begin {
    PHINode *inChecked = nullptr, *inCopy = nullptr;
  };

  /// Null if the phi is of other loops.
  const MDNode *markOf(const PHINode &phi) const {
    const MDNode *mark = phi.getMetadata(kBegin);
    return mark && mark->getOperand(0).get() == mark_ ? mark : nullptr;
  }

  bool note(Loop &loop) {
    if (!loop.getLoopPreheader() || !loop.getLoopLatch())
      return false;
    for (PHINode &phi : loop.getHeader()->phis()) {
      if (const MDNode *mark = markOf(phi)) {
        Begin &begin = begins_[mark];
        (&loop == checked_ ? begin.inChecked : begin.inCopy) = &phi;
      } else if (countsIterations(phi, loop)) {
        counters_.emplace_back(&phi, loop.getLoopPreheader());
      } else {
        return false;
      }
    }
    return true;
  }

  static void markAround(BranchInst &branch) {
    LLVMContext &context = branch.getContext();
    MDNode *node = MDNode::getDistinct(
        context, {nullptr, MDNode::get(context, MDString::get(context, kAround))});
    node->replaceOperandWith(0, node);
    branch.setMetadata(LLVMContext::MD_loop, node);
  }

  /// From between two iterations to the question, or on.
  BranchInst &branchBack(const DebugLoc &location) {
    IRBuilder<> builder(question_, question_->getFirstNonPHIIt());
    Value *atQuestion = loadMissesServed(builder);
    BasicBlock *header = checked_->getHeader();
    builder.SetInsertPoint(header, header->begin());
    PHINode *before = builder.CreatePHI(builder.getInt32Ty(), 2, "misses.before");
    Instruction *old = between_->getTerminator();
    builder.SetInsertPoint(old);
    builder.SetCurrentDebugLocation(location);
    Value *now = loadMissesServed(builder);
    before->addIncoming(atQuestion, beforeChecked_);
    before->addIncoming(now, between_);
    Value *asks =
        builder.CreateAnd(builder.CreateICmpEQ(now, before), builder.CreateICmpNE(now, atQuestion));
    BranchInst *branch = builder.CreateCondBr(
        asks, again_, header,
        MDBuilder(builder.getContext()).createBranchWeights(kAskWeight, kOnWeight));
    old->eraseFromParent();
    return *branch;
  }

  PHINode *newPhi(BasicBlock &block, Type *type, const Twine &name) {
    return IRBuilder<>(&block, block.begin()).CreatePHI(type, 2, name);
  }

  void goOn(const Begin &begin) {
    PHINode *phi = newPhi(*question_, begin.inChecked->getType(), begin.inChecked->getName());
    phi->addIncoming(begin.inChecked->getIncomingValueForBlock(beforeChecked_), before_);
    phi->addIncoming(begin.inChecked->getIncomingValueForBlock(between_), again_);
    begin.inChecked->setIncomingValueForBlock(beforeChecked_, phi);
    if (begin.inCopy)
      begin.inCopy->setIncomingValueForBlock(beforeCopy_, phi);
  }

  /// Counters of iterations, of either loop, go on where the one with checks was.
  void goOnCounting() {
    IRBuilder<> builder(question_->getContext());
    Type *number = builder.getInt64Ty();
    PHINode *done = newPhi(*question_, number, "iterations.done");
    PHINode *count = newPhi(*checked_->getHeader(), number, "iterations");
    builder.SetInsertPoint(between_, between_->getFirstNonPHIIt());
    Value *next = builder.CreateAdd(count, builder.getInt64(1));
    count->addIncoming(done, beforeChecked_);
    count->addIncoming(next, between_);
    done->addIncoming(builder.getInt64(0), before_);
    done->addIncoming(next, again_);
    builder.SetInsertPoint(question_, question_->getFirstNonPHIIt());
    for (auto [phi, preheader] : counters_)
      phi->setIncomingValueForBlock(preheader, builder.CreateZExtOrTrunc(done, phi->getType()));
  }

  const MDNode *const mark_;
  BasicBlock *const before_, *const question_;
  Loop *checked_ = nullptr, *copy_ = nullptr; ///< As they were before emit().
  BasicBlock *beforeChecked_ = nullptr, *beforeCopy_ = nullptr;
  MapVector<const MDNode *, Begin> begins_;
  SmallVector<std::pair<PHINode *, BasicBlock *>, 4> counters_; ///< And their loop's preheader.
  BasicBlock *between_ = nullptr, *again_ = nullptr;
};

} // namespace

void markQuestion(Loop &loop, BasicBlock &question) {
  if (!hasLongIterations(loop) ||
      PassOptions::isSet(*question.getModule(), &PassOptions::noAskingAgain))
    return;
  LLVMContext &context = question.getContext();
  MDNode *mark = MDNode::getDistinct(context, {});
  question.getSinglePredecessor()->getTerminator()->setMetadata(kQuestion, mark);
  for (PHINode &phi : loop.getHeader()->phis())
    phi.setMetadata(kBegin, MDNode::getDistinct(context, {mark}));
}

PreservedAnalyses RepeatedQuestionsPass::run(Function &function,
                                             FunctionAnalysisManager &analyses) {
  SmallVector<BranchInst *, 4> branches;
  for (BasicBlock &block : function)
    if (auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        branch && branch->isUnconditional() && branch->hasMetadata(kQuestion))
      branches.push_back(branch);
  if (branches.empty())
    return PreservedAnalyses::all();
  // The loops of different questions have no block in common, so that what is known of them holds.
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  for (BranchInst *branch : branches)
    if (Repetition repetition(*branch); repetition.find(loops))
      repetition.emit();
  return PreservedAnalyses::none();
}

bool isOutermostOfProgram(const Loop &loop) {
  const Loop *around = loop.getParentLoop();
  return !around || (findStringMetadataForLoop(around, kAround) && !around->getParentLoop());
}

} // namespace ompdsm
