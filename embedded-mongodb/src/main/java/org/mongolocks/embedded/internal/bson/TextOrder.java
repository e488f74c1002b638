package org.mongolocks.embedded.internal.bson;

/** Strings by code point, which is the order of their UTF-8 bytes. */
final class TextOrder {
    private TextOrder() {}

    static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                return Character.isSurrogate(x) == Character.isSurrogate(y)
                        ? Character.compare(x, y)
                        : Boolean.compare(Character.isSurrogate(x), Character.isSurrogate(y));
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
