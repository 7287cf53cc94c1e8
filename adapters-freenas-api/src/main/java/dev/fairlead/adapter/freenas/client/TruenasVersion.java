package dev.fairlead.adapter.freenas.client;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a version of FreeNAS or TrueNAS as the box itself tells it, such as {@code TrueNAS-13.0-U6.3},
 * {@code TrueNAS-SCALE-24.10.2.4}, {@code TrueNAS-26.0.0-BETA.3} or {@code 25.10.2}; the order is that of release, so
 * that a beta comes before its final version.
 *
 * @param patch the third number, or of CORE the number of the update
 * @param stage how far the version was from its release
 * @param stageNumber the number of the beta or release candidate; 0 for a final version
 * @param text as the box tells it
 */
public record TruenasVersion(int major, int minor, int patch, Stage stage, int stageNumber, String text)
        implements Comparable<TruenasVersion> {
    private static final int FIRST_SCALE = 20;
    private static final Pattern FORM = Pattern.compile(
            "(?:[A-Za-z]+-)*v?(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?(?:\\.\\d{1,4})*(?:-U(\\d{1,4})[0-9.]*)?(.*)");
    private static final Pattern STAGE = Pattern.compile("-(BETA|RC)\\.?(\\d{0,4}).*");
    private static final Comparator<TruenasVersion> ORDER = Comparator.comparingInt(TruenasVersion::major)
            .thenComparingInt(TruenasVersion::minor)
            .thenComparingInt(TruenasVersion::patch)
            .thenComparing(TruenasVersion::stage)
            .thenComparingInt(TruenasVersion::stageNumber);

    /** Lists the stages of a version, in their order. */
    public enum Stage {
        BETA,
        RC,
        FINAL
    }

    /** Reads a version; empty if the text is none. */
    public static Optional<TruenasVersion> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        Matcher stage = STAGE.matcher(form.group(5).toUpperCase(Locale.ROOT));
        boolean early = stage.matches();
        return Optional.of(new TruenasVersion(
                Integer.parseInt(form.group(1)),
                Integer.parseInt(form.group(2)),
                number(form.group(3) == null ? form.group(4) : form.group(3)),
                early ? Stage.valueOf(stage.group(1)) : Stage.FINAL,
                early ? number(stage.group(2)) : 0,
                text.strip()));
    }

    private static int number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** Says whether it is FreeNAS or TrueNAS CORE, which runs on FreeBSD. */
    public boolean isCore() {
        return major < FIRST_SCALE;
    }

    /** Says whether it is this release or a later one; the betas of a release count as the release. */
    public boolean isAtLeast(int thatMajor, int thatMinor) {
        return isAtLeast(thatMajor, thatMinor, 0);
    }

    /** Says whether it is this version or a later one; the betas of a version count as the version. */
    public boolean isAtLeast(int thatMajor, int thatMinor, int thatPatch) {
        return compareTo(new TruenasVersion(thatMajor, thatMinor, thatPatch, Stage.BETA, 0, "")) >= 0;
    }

    @Override
    public int compareTo(TruenasVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return text;
    }
}
