package dev.fairlead.application.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known word that a misspelt one may mean. */
public final class Suggestion {
    private Suggestion() {}

    /**
     * Returns the known word nearest to the given one, if it differs in no more than a third of the letters, or in one.
     */
    public static Optional<String> nearest(String word, Collection<String> known) {
        int most = Math.max(1, word.length() / 3);
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= most)
                .min(Comparator.comparingInt((String candidate) -> distance(word, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Counts the letters that were left out, added, changed, or exchanged with a neighbour; ignores letter case. */
    private static int distance(String a, String b) {
        int[] beforePrevious = new int[b.length() + 1];
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = same(a, i, b, j);
                current[j] = Math.min(Math.min(current[j - 1], previous[j]) + 1, previous[j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && same(a, i, b, j - 1) && same(a, i - 1, b, j)) {
                    current[j] = Math.min(current[j], beforePrevious[j - 2] + 1);
                }
            }
            beforePrevious = previous;
            previous = current;
        }
        return previous[b.length()];
    }

    private static boolean same(String a, int i, String b, int j) {
        return Character.toLowerCase(a.charAt(i - 1)) == Character.toLowerCase(b.charAt(j - 1));
    }
}
