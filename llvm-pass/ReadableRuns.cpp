// ReadableRuns.cpp: a run is two variables of the function, which become registers in the end.
#include "ReadableRuns.h"
#include "SynchronisationPoints.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Of a question, and of the loads in the loop that load what it asks about.
constexpr const char *kMark = "ompdsm.run";

Value *objectOf(Value *pointer) {
  while (auto *element = dyn_cast<GEPOperator>(pointer))
    pointer = element->getPointerOperand();
  return pointer;
}

/// From objectOf(pointer).
Value *offsetOf(IRBuilderBase &builder, Value *pointer) {
  const DataLayout &layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  Value *offset = builder.getInt64(0);
  for (; auto *element = dyn_cast<GEPOperator>(pointer); pointer = element->getPointerOperand())
    offset = builder.CreateAdd(
        emitGEPOffset(&builder, layout, cast<User>(element), /*NoAssumptions=*/true), offset);
  return offset;
}

bool calls(const CallInst &call, std::initializer_list<Callee> callees) {
  const Function *callee = call.getCalledFunction();
  return callee && any_of(callees, [&](Callee each) {
           return callee->getName() == RuntimeCallees::nameOf(each);
         });
}

/// Whether the call asks to read the bytes that its arguments name, or notes them.
bool isSection(const CallInst &call) {
  return calls(call, {Callee::__ompdsm_loop_read, Callee::__ompdsm_loop_note_read});
}

/// Whether it asks for what the calls before it in its block have noted.
bool asksForNoted(const CallInst &call) { return calls(call, {Callee::__ompdsm_sections_ask}); }

bool isNote(const CallInst &call) {
  return calls(call, {Callee::__ompdsm_loop_note_read, Callee::__ompdsm_loop_note_write,
                      Callee::__ompdsm_section_note_read, Callee::__ompdsm_section_note_write,
                      Callee::__ompdsm_section_note_overwrite,
                      Callee::__ompdsm_section_note_rewrite});
}

} // namespace

void askForRun(IRBuilderBase &builder, Value *object, ArrayRef<LoadInst *> loads,
               const RuntimeCallees &callees) {
  CallInst *question = callees.call(builder, Callee::__ompdsm_readable_run, {object});
  if (loads.empty())
    return;
  MDNode *mark = MDNode::getDistinct(builder.getContext(), {});
  question->setMetadata(kMark, mark);
  for (LoadInst *load : loads)
    load->setMetadata(kMark, mark);
}

ReadableRuns::ReadableRuns(Function &function, const RuntimeCallees &callees,
                           const TargetLibraryInfo &library, bool useless)
    : function_(function), callees_(callees) {
  const Function *asked =
      function.getParent()->getFunction(RuntimeCallees::nameOf(Callee::__ompdsm_readable_run));
  if (!asked || asked->use_empty())
    return;
  SmallVector<CallInst *, 4> forgotten;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (call && call->getCalledFunction() == asked) {
      if (useless)
        forgotten.push_back(call);
      else
        noteQuestion(*call);
    } else if (call && !useless && (isSection(*call) || isNote(*call) || asksForNoted(*call))) {
      noteAsking(*call);
    } else if (maySynchronise(instruction, library)) {
      synchronisations_.push_back(&instruction);
    }
  }
  for (CallInst *call : forgotten)
    call->eraseFromParent();
}

void ReadableRuns::noteQuestion(CallInst &call) {
  Value *object = objectOf(call.getArgOperand(0));
  runs_[object].questions.push_back(&call);
  if (const MDNode *mark = call.getMetadata(kMark))
    loaded_[mark] = object;
}

void ReadableRuns::noteAsking(CallInst &call) {
  const bool joins = !askings_.empty() && isNote(*askings_.back().back()) &&
                     askings_.back().back()->getParent() == call.getParent() &&
                     (isNote(call) || asksForNoted(call));
  if (!joins)
    askings_.emplace_back();
  askings_.back().push_back(&call);
}

AllocaInst *ReadableRuns::newVariable(const char *name) {
  IRBuilder<> builder(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  AllocaInst *variable = builder.CreateAlloca(builder.getInt64Ty(), nullptr, name);
  builder.CreateStore(builder.getInt64(0), variable);
  return variable;
}

ReadableRuns::Run *ReadableRuns::runOf(Value *pointer) {
  if (runs_.empty())
    return nullptr;
  Value *object = objectOf(pointer);
  auto found = runs_.find(object);
  if (auto *load = dyn_cast<LoadInst>(object); load && found == runs_.end())
    found = runs_.find(loaded_.lookup(load->getMetadata(kMark)));
  return found == runs_.end() ? nullptr : &found->second;
}

AllocaInst *ReadableRuns::variable(AllocaInst *&variable, const char *name) {
  if (!variable)
    variable = newVariable(name);
  return variable;
}

AllocaInst *ReadableRuns::limitOf(Run &run, std::uint64_t bytes) {
  return variable(run.limits[bytes], "run.limit");
}

Value *ReadableRuns::offsetIn(Run &run, IRBuilderBase &builder, Value *pointer) {
  Type *number = builder.getInt64Ty();
  if (runs_.contains(objectOf(pointer)))
    return builder.CreateAdd(builder.CreateLoad(number, variable(run.origin, "run.origin")),
                             offsetOf(builder, pointer));
  return builder.CreateSub(builder.CreatePtrToInt(pointer, number),
                           builder.CreateLoad(number, variable(run.begin, "run.begin")));
}

Value *ReadableRuns::test(IRBuilderBase &builder, Value *pointer, std::uint64_t bytes) {
  Run *run = runOf(pointer);
  if (!run)
    return nullptr;
  Value *offset = offsetIn(*run, builder, pointer);
  return builder.CreateICmpULT(offset,
                               builder.CreateLoad(builder.getInt64Ty(), limitOf(*run, bytes)));
}

Value *ReadableRuns::isOutside(CallInst &section) {
  Value *pointer = section.getArgOperand(0), *bytes = section.getArgOperand(1);
  Run *run = runOf(pointer);
  if (!run)
    return nullptr;
  IRBuilder<> builder(&section);
  Value *all = builder.CreateLoad(builder.getInt64Ty(), limitOf(*run, 1));
  return builder.CreateOr(
      builder.CreateICmpUGT(bytes, all),
      builder.CreateICmpUGT(offsetIn(*run, builder, pointer), builder.CreateSub(all, bytes)));
}

void ReadableRuns::askOnlyOutside(const Asking &asking) {
  const auto putBehind = [](Value *condition, Instruction &end, ArrayRef<CallInst *> moved) {
    Instruction *outside = SplitBlockAndInsertIfThen(
        condition, end.getIterator(), /*Unreachable=*/false,
        MDBuilder(end.getContext()).createUnlikelyBranchWeights());
    for (CallInst *call : moved)
      call->moveBefore(*outside->getParent(), outside->getIterator());
  };
  CallInst &last = *asking.back();
  SmallVector<std::pair<CallInst *, Value *>, 4> sections;
  for (CallInst *call : asking)
    if (Value *condition = isSection(*call) ? isOutside(*call) : nullptr)
      sections.emplace_back(call, condition);
  if (asksForNoted(last) && sections.size() + 1 == asking.size() && !sections.empty()) {
    IRBuilder<> builder(&last);
    Value *any = sections.front().second;
    for (const auto &[call, condition] : drop_begin(sections))
      any = builder.CreateOr(any, condition);
    putBehind(any, last, asking);
    return;
  }
  for (const auto &[call, condition] : sections)
    putBehind(condition, *call, call);
}

void ReadableRuns::answer(CallInst &question, Value *object, const Run &run) {
  IRBuilder<> builder(question.getNextNode());
  Value *bytes =
      callees_.call(builder, Callee::__ompdsm_readable_run_bytes, {question.getArgOperand(0)});
  if (run.begin)
    builder.CreateStore(&question, run.begin);
  if (run.origin)
    builder.CreateStore(
        builder.CreateSub(builder.CreatePtrToInt(object, builder.getInt64Ty()), &question),
        run.origin);
  for (const auto &[size, limit] : run.limits)
    builder.CreateStore(
        builder.CreateBinaryIntrinsic(Intrinsic::usub_sat, bytes, builder.getInt64(size - 1)),
        limit);
}

void ReadableRuns::finish() {
  for (const Asking &asking : askings_)
    askOnlyOutside(asking);
  SmallVector<AllocaInst *, 8> variables;
  for (auto &[object, run] : runs_) {
    for (CallInst *question : run.questions)
      if (!run.limits.empty())
        answer(*question, object, run);
      else
        question->eraseFromParent();
    for (AllocaInst *variable : {run.origin, run.begin})
      if (variable)
        variables.push_back(variable);
    for (const auto &entry : run.limits) {
      for (Instruction *synchronisation : synchronisations_) {
        IRBuilder<> builder(synchronisation);
        builder.CreateStore(builder.getInt64(0), entry.second);
      }
      variables.push_back(entry.second);
    }
  }
  if (variables.empty())
    return;
  DominatorTree dominators(function_);
  PromoteMemToReg(variables, dominators);
}

} // namespace ompdsm
