// A binary search tree: all threads insert nodes made with new under a critical; all threads look
// all keys up; subtrees are deleted by threads that did not make them.
#include "report.h"
#include <omp.h>

namespace {

constexpr int Keys = 257;

struct Node {
  explicit Node(int key, int owner) : key(key), owner(owner) {}
  int key;
  int owner;
  Node *child[2] = {nullptr, nullptr};
};

Node *root;

int scrambled(int k) { return k * 101 % Keys; }

void insert(Node *node) {
  Node **place = &root;
  while (*place)
    place = &(*place)->child[node->key > (*place)->key];
  *place = node;
}

int depthOf(int key) {
  int depth = 1;
  for (const Node *node = root; node; node = node->child[key > node->key], depth++)
    if (node->key == key)
      return depth;
  return 0;
}

long deleteBelow(Node *node) {
  if (!node)
    return 0;
  const long sum = node->key + deleteBelow(node->child[0]) + deleteBelow(node->child[1]);
  delete node;
  return sum;
}

} // namespace

int main() {
  long deleted = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
#pragma omp for schedule(static, 1)
    for (int k = 0; k < Keys; k++) {
      Node *node = new Node(scrambled(k), me);
#pragma omp critical(tree)
      insert(node);
    }
    for (int k = me; k < Keys + me; k++)
      expectInteger("key is in the tree", k % Keys, 1, depthOf(k % Keys) > 0);
    expectInteger("key that was not inserted", me, 0, depthOf(Keys));
#pragma omp barrier
    // The subtrees below the root and its children are cut off one by one.
    for (int part = 0; part < 4; part++) {
      Node *subtree = nullptr;
      if (part % threads == me) {
#pragma omp critical(tree)
        {
          Node *&side = root->child[part / 2] ? root->child[part / 2]->child[part % 2]
                                              : root->child[part / 2];
          subtree = side;
          side = nullptr;
        }
      }
      const long sum = deleteBelow(subtree);
#pragma omp atomic
      deleted += sum;
    }
  }
  deleted += deleteBelow(root);
  expectInteger("sum of the deleted keys", 0, static_cast<long>(Keys) * (Keys - 1) / 2, deleted);
  return finish();
}
