package dev.fairlead.domain.mount;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds the SELinux context that a mount gives to all its files.
 *
 * @param label user, role and type
 * @param level sensitivity and categories, in one spelling for the same ones; empty if it has none, or one that only
 *     the node's own names explain
 */
public record SelinuxContext(String label, Optional<String> level) {
    private static final String OPTION = "context=";

    /** The option by which the kernel shows that the files of a mount have labels of their own. */
    private static final String OWN_LABELS = "seclabel";

    private static final String CATEGORIES = "c[0-9]{1,4}(?:\\.c[0-9]{1,4})?(?:,c[0-9]{1,4}(?:\\.c[0-9]{1,4})?)*";
    private static final String SENSITIVITY = "s[0-9]{1,4}(?::" + CATEGORIES + ")?";
    private static final String LABEL = "[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+";
    private static final Pattern LEVEL = Pattern.compile(SENSITIVITY + "(?:-" + SENSITIVITY + ")?");
    private static final Pattern QUOTED =
            Pattern.compile("(?:fs|def|root)?context=\"" + LABEL + "(?::" + LEVEL.pattern() + ")?\"");
    private static final Pattern FORM = Pattern.compile("(" + LABEL + ")(?::(.+))?");

    /**
     * Returns whether an option is a context in quotes, and nothing but that. Some programs divide options at each
     * comma, {@code mount.cifs} among them, so a quoted value may hold nothing that would be an option of its own.
     */
    public static boolean isQuoted(String option) {
        return QUOTED.matcher(option).matches();
    }

    /** Returns the context that is asked for, or shown; of several the last one. */
    public static Optional<SelinuxContext> of(List<String> options) {
        return options.stream()
                .filter(option -> option.startsWith(OPTION))
                .reduce((_, later) -> later)
                .flatMap(option -> parse(option.substring(OPTION.length()).replace("\"", "")));
    }

    private static Optional<SelinuxContext> parse(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new SelinuxContext(
                        form.group(1),
                        Optional.ofNullable(form.group(2))
                                .filter(level -> LEVEL.matcher(level).matches())
                                .map(SelinuxContext::plain)))
                : Optional.empty();
    }

    /**
     * Says what is different about a mount that the kernel shows by these options; empty if it has the context that is
     * asked for, if none is, or if the node has no SELinux, where mount(8) leaves the option out.
     */
    public static Optional<String> difference(List<String> wanted, List<String> shown) {
        return of(wanted).flatMap(asked -> {
            Optional<SelinuxContext> found = of(shown);
            if (found.isEmpty() && !shown.contains(OWN_LABELS)) {
                return Optional.empty();
            }
            return found.filter(asked::isSameAs).isPresent()
                    ? Optional.empty()
                    : Optional.of("its files have the SELinux context "
                            + found.map(SelinuxContext::toString).orElse("that each has of its own")
                            + ", asked for is " + asked);
        });
    }

    /** Returns whether these are the same; a level that is not told is not compared. */
    boolean isSameAs(SelinuxContext other) {
        return label.equals(other.label) && (level.isEmpty() || other.level.isEmpty() || level.equals(other.level));
    }

    /** Returns a level in the one spelling: each category once, in order, and no range from one to itself. */
    private static String plain(String level) {
        List<String> ends = List.of(level.split("-", -1)).stream()
                .map(SelinuxContext::sorted)
                .distinct()
                .toList();
        return String.join("-", ends);
    }

    private static String sorted(String end) {
        int colon = end.indexOf(':');
        if (colon < 0) {
            return end;
        }
        BitSet categories = new BitSet();
        for (String part : end.substring(colon + 1).split(",", -1)) {
            String[] range = part.split("\\.", -1);
            int first = number(range[0]);
            categories.set(Math.min(first, number(range[range.length - 1])), number(range[range.length - 1]) + 1);
        }
        StringBuilder text = new StringBuilder(end.substring(0, colon + 1));
        categories.stream().forEach(it -> text.append('c').append(it).append(','));
        return text.substring(0, text.length() - 1);
    }

    private static int number(String category) {
        return Integer.parseInt(category.substring(1));
    }

    @Override
    public String toString() {
        return label + level.map(it -> ":" + it).orElse("");
    }
}
