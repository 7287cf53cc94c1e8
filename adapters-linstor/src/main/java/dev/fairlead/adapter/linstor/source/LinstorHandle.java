package dev.fairlead.adapter.linstor.source;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names a volume of a resource, as LINSTOR's driver writes it: {@code resource}, or {@code resource/number}. */
record LinstorHandle(String resource, long volume) {
    private static final Pattern FORM = Pattern.compile("([A-Za-z_][A-Za-z0-9_-]{1,47})(?:/([0-9]{1,5}))?");
    private static final long MOST = 65535;

    /** Reads a handle; empty if it is none of LINSTOR's. */
    static Optional<LinstorHandle> parse(String handle) {
        Matcher fits = FORM.matcher(handle);
        if (!fits.matches()) return Optional.empty();
        long number = fits.group(2) == null ? 0 : Long.parseLong(fits.group(2));
        return number > MOST ? Optional.empty() : Optional.of(new LinstorHandle(fits.group(1), number));
    }
}
