package dev.fairlead.application.service.call;

import java.util.Locale;

/** Says in words how many bytes have been moved. */
public final class Amount {
    private static final double MIB = 1 << 20;
    private static final double GIB = 1 << 30;

    private Amount() {}

    /**
     * Returns a text such as {@code 12.3 of 40.1 GiB, 31 %}; the total is an estimate, and is shown as no less than
     * what was moved.
     */
    public static String moved(long bytes, long total) {
        long all = Math.max(bytes, total);
        boolean large = all >= GIB;
        double unit = large ? GIB : MIB;
        return String.format(
                Locale.ROOT,
                "%.1f of %.1f %s, %d %%",
                bytes / unit,
                all / unit,
                large ? "GiB" : "MiB",
                all == 0 ? 0 : (long) (100.0 * bytes / all));
    }
}
