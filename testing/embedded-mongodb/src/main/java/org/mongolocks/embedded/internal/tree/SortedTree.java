package org.mongolocks.embedded.internal.tree;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map, a balanced (AVL) tree with path copying. A snapshot of it is the map itself, and so is a roll-back.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class SortedTree<K, V> {
    private final Comparator<? super K> order;
    private final @Nullable TreeNode<K, V> root;
    private final int size;

    private SortedTree(Comparator<? super K> order, @Nullable TreeNode<K, V> root, int size) {
        this.order = order;
        this.root = root;
        this.size = size;
    }

    public static <K, V> SortedTree<K, V> orderedBy(Comparator<? super K> order) {
        return new SortedTree<>(order, null, 0);
    }

    public static <K extends Comparable<? super K>, V> SortedTree<K, V> natural() {
        return orderedBy(Comparator.<K>naturalOrder());
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return root == null;
    }

    public @Nullable V get(K key) {
        TreeNode<K, V> node = root;
        while (node != null) {
            int order = this.order.compare(key, node.key);
            if (order == 0) {
                return node.value;
            }
            node = order < 0 ? node.left : node.right;
        }
        return null;
    }

    /** This map with a key set to a value. */
    public SortedTree<K, V> with(K key, V value) {
        boolean isNew = get(key) == null;
        return new SortedTree<>(order, TreeNode.insert(root, key, value, order), isNew ? size + 1 : size);
    }

    /** This map without a key. */
    public SortedTree<K, V> without(K key) {
        return get(key) == null ? this : new SortedTree<>(order, TreeNode.remove(root, key, order), size - 1);
    }

    /** The entry with the least key. */
    public Entry<K, V> first() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        return TreeNode.leftmost(root);
    }

    /** The values, in the order of their keys. */
    public Iterable<V> values() {
        return () -> valuesOf(TreeWalk.ascending(root));
    }

    /** The entries from a key on, the key included. */
    public Iterator<Entry<K, V>> from(K key) {
        return TreeWalk.from(root, key, order, true);
    }

    /** The entries after a key. */
    public Iterator<Entry<K, V>> after(K key) {
        return TreeWalk.from(root, key, order, false);
    }

    private static <K, V> Iterator<V> valuesOf(Iterator<Entry<K, V>> entries) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public V next() {
                return entries.next().getValue();
            }
        };
    }
}
