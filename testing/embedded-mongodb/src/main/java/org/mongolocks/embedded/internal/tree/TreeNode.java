package org.mongolocks.embedded.internal.tree;

import java.util.Comparator;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/** A node of a {@link SortedTree}, and the edits of a tree of nodes. */
final class TreeNode<K, V> implements Entry<K, V> {
    final K key;
    final V value;
    final @Nullable TreeNode<K, V> left;
    final @Nullable TreeNode<K, V> right;
    private final int height;

    private TreeNode(K key, V value, @Nullable TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
        this.key = key;
        this.value = value;
        this.left = left;
        this.right = right;
        this.height = 1 + Math.max(height(left), height(right));
    }

    @Override
    public K getKey() {
        return key;
    }

    @Override
    public V getValue() {
        return value;
    }

    @Override
    public V setValue(V newValue) {
        throw new IllegalStateException("a node never changes");
    }

    static <K, V> TreeNode<K, V> insert(@Nullable TreeNode<K, V> node, K key, V value, Comparator<? super K> order) {
        if (node == null) {
            return new TreeNode<>(key, value, null, null);
        }
        int side = order.compare(key, node.key);
        if (side == 0) {
            return new TreeNode<>(key, value, node.left, node.right);
        }
        return side < 0
                ? balanced(node, insert(node.left, key, value, order), node.right)
                : balanced(node, node.left, insert(node.right, key, value, order));
    }

    static <K, V> @Nullable TreeNode<K, V> remove(@Nullable TreeNode<K, V> node, K key, Comparator<? super K> order) {
        if (node == null) {
            return null;
        }
        int side = order.compare(key, node.key);
        if (side == 0) {
            return joined(node.left, node.right);
        }
        return side < 0
                ? balanced(node, remove(node.left, key, order), node.right)
                : balanced(node, node.left, remove(node.right, key, order));
    }

    private static <K, V> @Nullable TreeNode<K, V> joined(
            @Nullable TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        TreeNode<K, V> next = leftmost(right);
        return balanced(next, left, withoutLeftmost(right));
    }

    static <K, V> TreeNode<K, V> leftmost(TreeNode<K, V> node) {
        TreeNode<K, V> least = node;
        while (least.left != null) {
            least = least.left;
        }
        return least;
    }

    private static <K, V> @Nullable TreeNode<K, V> withoutLeftmost(TreeNode<K, V> node) {
        return node.left == null ? node.right : balanced(node, withoutLeftmost(node.left), node.right);
    }

    /** The entry of {@code at} over two trees whose heights differ by two at most. */
    private static <K, V> TreeNode<K, V> balanced(
            TreeNode<K, V> at, @Nullable TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
        int lean = height(left) - height(right);
        if (left != null && lean > 1) {
            return height(left.left) >= height(left.right) ? right(at, left, right) : right(at, left(left), right);
        }
        if (right != null && lean < -1) {
            return height(right.right) >= height(right.left) ? left(at, left, right) : left(at, left, right(right));
        }
        return new TreeNode<>(at.key, at.value, left, right);
    }

    private static <K, V> TreeNode<K, V> left(TreeNode<K, V> node) {
        return node.right == null ? node : left(node, node.left, node.right);
    }

    private static <K, V> TreeNode<K, V> right(TreeNode<K, V> node) {
        return node.left == null ? node : right(node, node.left, node.right);
    }

    private static <K, V> TreeNode<K, V> left(TreeNode<K, V> at, @Nullable TreeNode<K, V> left, TreeNode<K, V> right) {
        return new TreeNode<>(right.key, right.value, new TreeNode<>(at.key, at.value, left, right.left), right.right);
    }

    private static <K, V> TreeNode<K, V> right(TreeNode<K, V> at, TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
        return new TreeNode<>(left.key, left.value, left.left, new TreeNode<>(at.key, at.value, left.right, right));
    }

    private static int height(@Nullable TreeNode<?, ?> node) {
        return node == null ? 0 : node.height;
    }
}
