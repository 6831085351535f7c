// InterceptContainers.cpp: the functions of libstdc++.so behind std::map, std::set, std::list and
// the unordered containers that are no templates, so that no instrumented copy of them exists.
//
// Each asks for the nodes that the real function will touch, then calls it: permissions last until
// the thread's next synchronisation point, and there is none in these functions. Which nodes those
// are follows from the algorithms for red-black trees (Cormen et al., Introduction to Algorithms,
// chapter 13), which fix the tree from the changed node upwards and stop early.
#include "libompdsm/src/Interception.h"
#include <list>
#include <map>
#include <unordered_map>

using namespace ompdsm;

using TreeNode = std::_Rb_tree_node_base;
using ListNode = std::__detail::_List_node_base;
using RehashPolicy = std::__detail::_Prime_rehash_policy;

namespace {

template <class Node> void forReading(const Node *node) { ensureRead(node, sizeof *node); }
template <class Node> void forWriting(Node *node) {
  if (node)
    ensureWrite(node, sizeof *node);
}

bool isRed(const TreeNode *node) { return node && node->_M_color == std::_S_red; }

/// `node` and what is below it, `levels` in all, for writing.
void subtreeForWriting(TreeNode *node, unsigned levels) {
  if (!node || levels == 0)
    return;
  forWriting(node);
  subtreeForWriting(node->_M_left, levels - 1);
  subtreeForWriting(node->_M_right, levels - 1);
}

/// What follows from `node`, a new red one below `parent`.
void insertionForWriting(TreeNode *node, TreeNode *parent, TreeNode *header) {
  forWriting(node);
  forWriting(header);
  forWriting(parent);
  forWriting(header->_M_parent); // The root is always painted.
  while (parent != header && isRed(parent)) {
    TreeNode *grandparent = parent->_M_parent;
    subtreeForWriting(grandparent, 2);
    TreeNode *above = grandparent->_M_parent;
    forWriting(above);
    if (!isRed(grandparent->_M_left) || !isRed(grandparent->_M_right)) {
      // One or two rotations of these three, which move the children of the lower two.
      subtreeForWriting(parent, 3);
      return;
    }
    node = grandparent;
    parent = above;
  }
}

/// What follows from taking a black node away: `parent` now has `child` (maybe null) in its place;
/// `other` is its sibling.
void erasureForWriting(TreeNode *child, TreeNode *parent, TreeNode *other, TreeNode *header) {
  for (;;) {
    forWriting(child);
    if (parent == header || isRed(child))
      return;
    forWriting(parent);
    forWriting(parent->_M_parent);
    subtreeForWriting(other, 4);
    if (!other || isRed(other) || isRed(other->_M_left) || isRed(other->_M_right))
      return; // Ends with rotations here.
    child = parent;
    parent = child->_M_parent;
    if (parent != header)
      other = parent->_M_left == child ? parent->_M_right : parent->_M_left;
  }
}

TreeNode *outermost(TreeNode *node, TreeNode *TreeNode::*direction) {
  forReading(node);
  while (node->*direction) {
    node = node->*direction;
    forReading(node);
  }
  return node;
}

/// The nodes by which the successor (or predecessor) of `node` is found.
void stepForReading(const TreeNode *node, TreeNode *TreeNode::*forward,
                    TreeNode *TreeNode::*backward) {
  forReading(node);
  if (node->*forward) {
    outermost(node->*forward, backward);
    return;
  }
  // At the header, whose parent is the root, the walk ends in any case.
  for (const TreeNode *from = node;; from = from->_M_parent) {
    const TreeNode *above = from->_M_parent;
    forReading(above);
    if (above->*forward != from || above->_M_parent == from)
      return;
  }
}

void increment(const TreeNode *node) {
  stepForReading(node, &TreeNode::_M_right, &TreeNode::_M_left);
}

void decrement(const TreeNode *node) {
  forReading(node);
  forReading(node->_M_parent);
  // The header is red and its own grandparent; its right child is the answer.
  if (!isRed(node) || node->_M_parent->_M_parent != node)
    stepForReading(node, &TreeNode::_M_left, &TreeNode::_M_right);
}

void erase(TreeNode *node, TreeNode *header) {
  forWriting(header);
  forWriting(node);
  forWriting(node->_M_parent);
  forWriting(node->_M_left);
  forWriting(node->_M_right);
  forWriting(header->_M_parent);
  TreeNode *taken = node; // The one whose place is filled by its only child.
  if (node->_M_left && node->_M_right) {
    taken = outermost(node->_M_right, &TreeNode::_M_left);
    forWriting(taken);
    forWriting(taken->_M_parent);
  }
  TreeNode *child = taken->_M_left ? taken->_M_left : taken->_M_right;
  if (taken == node && child) { // The ends of the tree may be found below it.
    outermost(child, &TreeNode::_M_left);
    outermost(child, &TreeNode::_M_right);
  }
  forWriting(child);
  // The colour that is lost is that of `taken`: it takes over the colour of `node`.
  TreeNode *parent = taken->_M_parent;
  if (isRed(taken) || parent == header)
    return;
  erasureForWriting(child, parent, parent->_M_left == taken ? parent->_M_right : parent->_M_left,
                    header);
}

void neighboursForWriting(ListNode *node) {
  forWriting(node);
  forWriting(node->_M_next);
  forWriting(node->_M_prev);
}

} // namespace

// --- std::map, std::set and their multi forms.

OMPDSM_INTERPOSE(void, _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_,
                 (bool left, TreeNode *node, TreeNode *parent, TreeNode &header)) {
  if (mustAsk(OMPDSM_CALLER))
    insertionForWriting(node, parent, &header);
  real__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_.get()(left, node, parent,
                                                                               header);
}

OMPDSM_INTERPOSE(TreeNode *, _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_,
                 (TreeNode * node, TreeNode &header)) {
  if (mustAsk(OMPDSM_CALLER))
    erase(node, &header);
  return real__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_.get()(node, header);
}

OMPDSM_INTERPOSE(TreeNode *, _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, (TreeNode * node)) {
  if (mustAsk(OMPDSM_CALLER))
    increment(node);
  return real__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base.get()(node);
}

OMPDSM_INTERPOSE(const TreeNode *, _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base,
                 (const TreeNode *node)) {
  if (mustAsk(OMPDSM_CALLER))
    increment(node);
  return real__ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base.get()(node);
}

OMPDSM_INTERPOSE(TreeNode *, _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, (TreeNode * node)) {
  if (mustAsk(OMPDSM_CALLER))
    decrement(node);
  return real__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base.get()(node);
}

OMPDSM_INTERPOSE(const TreeNode *, _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base,
                 (const TreeNode *node)) {
  if (mustAsk(OMPDSM_CALLER))
    decrement(node);
  return real__ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base.get()(node);
}

// --- std::list.

OMPDSM_INTERPOSE(void, _ZNSt8__detail15_List_node_base7_M_hookEPS0_,
                 (ListNode * node, ListNode *position)) {
  if (mustAsk(OMPDSM_CALLER)) {
    forWriting(node);
    neighboursForWriting(position);
  }
  real__ZNSt8__detail15_List_node_base7_M_hookEPS0_.get()(node, position);
}

OMPDSM_INTERPOSE(void, _ZNSt8__detail15_List_node_base9_M_unhookEv, (ListNode * node)) {
  if (mustAsk(OMPDSM_CALLER))
    neighboursForWriting(node);
  real__ZNSt8__detail15_List_node_base9_M_unhookEv.get()(node);
}

OMPDSM_INTERPOSE(void, _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_,
                 (ListNode * node, ListNode *first, ListNode *last)) {
  if (mustAsk(OMPDSM_CALLER))
    for (ListNode *end : {node, first, last})
      neighboursForWriting(end);
  real__ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_.get()(node, first, last);
}

OMPDSM_INTERPOSE(void, _ZNSt8__detail15_List_node_base10_M_reverseEv, (ListNode * node)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ListNode *at = node;
    do {
      forWriting(at);
      at = at->_M_next;
    } while (at != node);
  }
  real__ZNSt8__detail15_List_node_base10_M_reverseEv.get()(node);
}

OMPDSM_INTERPOSE(void, _ZNSt8__detail15_List_node_base4swapERS0_S1_, (ListNode & a, ListNode &b)) {
  if (mustAsk(OMPDSM_CALLER))
    for (ListNode *end : {&a, &b})
      neighboursForWriting(end);
  real__ZNSt8__detail15_List_node_base4swapERS0_S1_.get()(a, b);
}

// --- std::unordered_map and its kin.

OMPDSM_INTERPOSE(std::size_t, _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm,
                 (RehashPolicy * policy, std::size_t buckets)) {
  if (mustAsk(OMPDSM_CALLER))
    forWriting(policy);
  return real__ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm.get()(policy, buckets);
}

// std::pair<bool, std::size_t>, which has no linkage of C, and travels in the same two registers.
struct NeedRehash {
  bool needed;
  std::size_t buckets;
};
OMPDSM_INTERPOSE(NeedRehash, _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm,
                 (RehashPolicy * policy, std::size_t buckets, std::size_t elements,
                  std::size_t more)) {
  if (mustAsk(OMPDSM_CALLER))
    forWriting(policy);
  return real__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm.get()(policy, buckets,
                                                                              elements, more);
}

OMPDSM_INTERPOSE(std::size_t, _ZSt11_Hash_bytesPKvmm,
                 (const void *bytes, std::size_t count, std::size_t seed)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureRead(bytes, count);
  return real__ZSt11_Hash_bytesPKvmm.get()(bytes, count, seed);
}
