// tree.c: balanced binary search trees of nodes from malloc: insertion by recursion, searches, sums
// by tasks: pointers are chased.
//
// Treaps, balanced by random priorities (Seidel, Aragon: Randomized search trees, 1996).
#include "kernel.h"

enum { TaskDepth = 6 };

struct Node {
  struct Node *left, *right;
  uint64_t key;
  uint32_t priority;
  int32_t value;
};

static struct Node *rotateRight(struct Node *root) {
  struct Node *left = root->left;
  root->left = left->right;
  left->right = root;
  return left;
}

static struct Node *rotateLeft(struct Node *root) {
  struct Node *right = root->right;
  root->right = right->left;
  right->left = root;
  return right;
}

static struct Node *insert(struct Node *root, uint64_t key) {
  if (!root) {
    struct Node *node = allocate(1, sizeof *node);
    *node = (struct Node){NULL, NULL, key, (uint32_t)mix(key), 1};
    return node;
  }
  if (key == root->key) {
    root->value++;
  } else if (key < root->key) {
    root->left = insert(root->left, key);
    if (root->left->priority > root->priority)
      return rotateRight(root);
  } else {
    root->right = insert(root->right, key);
    if (root->right->priority > root->priority)
      return rotateLeft(root);
  }
  return root;
}

static const struct Node *find(const struct Node *root, uint64_t key) {
  while (root && root->key != key)
    root = key < root->key ? root->left : root->right;
  return root;
}

static int64_t sum(const struct Node *root, int depth) {
  if (!root)
    return 0;
  int64_t left = 0, right;
  if (depth < TaskDepth) {
#pragma omp task shared(left)
    left = sum(root->left, depth + 1);
    right = sum(root->right, depth + 1);
#pragma omp taskwait
  } else {
    left = sum(root->left, depth + 1);
    right = sum(root->right, depth + 1);
  }
  return left + right + root->value * (int64_t)(root->key % 1000);
}

static int isOrdered(const struct Node *root, uint64_t low, uint64_t high) {
  return !root ||
         (root->key >= low && root->key <= high && isOrdered(root->left, low, root->key - 1) &&
          isOrdered(root->right, root->key + 1, high));
}

static void destroy(struct Node *root) {
  if (root) {
    destroy(root->left);
    destroy(root->right);
    free(root);
  }
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), n = small ? 2000 : 200000, trees = 4;
  struct Node *roots[4] = {NULL, NULL, NULL, NULL};
  const uint64_t different = (uint64_t)n * 2;
#pragma omp parallel for schedule(static)
  for (int t = 0; t < trees; t++)
    for (int i = 0; i < n / trees; i++)
      roots[t] = insert(roots[t], mix((uint64_t)(i * trees + t)) % different + 1);
  int64_t found = 0, expected = 0, got = 0;
#pragma omp parallel for schedule(static) reduction(+ : found)
  for (int i = 0; i < 2 * n; i++)
    for (int t = 0; t < trees; t++)
      found += find(roots[t], (uint64_t)i + 1) != NULL;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++)
    for (int t = 0; t < trees; t++)
      got += sum(roots[t], 0);
  int ordered = 1;
  for (int t = 0; t < trees; t++) {
    for (int i = 0; i < n / trees; i++)
      expected += 10 * (int64_t)((mix((uint64_t)(i * trees + t)) % different + 1) % 1000);
    ordered &= isOrdered(roots[t], 1, different);
    destroy(roots[t]);
  }
  return conclude(mix((uint64_t)found) ^ mix((uint64_t)got), got == expected && ordered);
}
