package dev.fairlead.domain.topology;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Matches a whole text against a regex that somebody wrote, within bounds: some regexes take exponential time on texts
 * that they nearly match, or more stack than there is.
 */
final class BoundedMatch {
    private static final int MAX_TEXT_CHARS = 4096;
    private static final int MAX_STEPS = 1_000_000;

    private BoundedMatch() {}

    static Outcome of(Pattern regex, String text) {
        if (text.length() > MAX_TEXT_CHARS) {
            return new Outcome.TooCostly("is longer than " + MAX_TEXT_CHARS + " characters");
        }
        try {
            Matcher matcher = regex.matcher(new Counted(text, new AtomicInteger(), 0, text.length()));
            return matcher.matches() ? new Outcome.Matched(matcher.toMatchResult()) : new Outcome.None();
        } catch (TooManySteps | StackOverflowError _) {
            return new Outcome.TooCostly("takes the regex too many steps; write it without nested repetitions");
        }
    }

    sealed interface Outcome {
        record Matched(MatchResult match) implements Outcome {}

        record None() implements Outcome {}

        record TooCostly(String why) implements Outcome {}
    }

    /** Counts how often a text is read, since java.util.regex has no bound of its own. */
    private record Counted(String text, AtomicInteger steps, int from, int to) implements CharSequence {
        @Override
        public char charAt(int index) {
            if (steps.incrementAndGet() > MAX_STEPS) {
                throw new TooManySteps();
            }
            return text.charAt(from + index);
        }

        @Override
        public int length() {
            return to - from;
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text, steps, from + start, from + end);
        }

        @Override
        public String toString() {
            return text.substring(from, to);
        }
    }

    /** Ends the matching, for which the matcher offers no other way. */
    private static final class TooManySteps extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        TooManySteps() {
            super("too many steps");
        }
    }
}
