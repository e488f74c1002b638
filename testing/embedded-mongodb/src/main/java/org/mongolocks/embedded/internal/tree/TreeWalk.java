package org.mongolocks.embedded.internal.tree;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/** A walk over the entries of a {@link SortedTree}. */
final class TreeWalk<K, V> implements Iterator<Entry<K, V>> {
    private final Deque<TreeNode<K, V>> ahead = new ArrayDeque<>();

    private TreeWalk() {}

    static <K, V> Iterator<Entry<K, V>> ascending(@Nullable TreeNode<K, V> root) {
        TreeWalk<K, V> walk = new TreeWalk<>();
        walk.pushLeft(root);
        return walk;
    }

    static <K, V> Iterator<Entry<K, V>> from(
            @Nullable TreeNode<K, V> root, K key, Comparator<? super K> order, boolean isInclusive) {
        TreeWalk<K, V> walk = new TreeWalk<>();
        TreeNode<K, V> node = root;
        while (node != null) {
            int side = order.compare(key, node.key);
            if (side < 0 || (side == 0 && isInclusive)) {
                walk.ahead.push(node);
                node = node.left;
            } else {
                node = node.right;
            }
        }
        return walk;
    }

    private void pushLeft(@Nullable TreeNode<K, V> from) {
        TreeNode<K, V> node = from;
        while (node != null) {
            ahead.push(node);
            node = node.left;
        }
    }

    @Override
    public boolean hasNext() {
        return !ahead.isEmpty();
    }

    @Override
    public Entry<K, V> next() {
        TreeNode<K, V> node = ahead.pop();
        pushLeft(node.right);
        return node;
    }
}
