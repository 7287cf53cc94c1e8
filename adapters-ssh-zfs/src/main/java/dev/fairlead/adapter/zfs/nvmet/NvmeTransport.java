package dev.fairlead.adapter.zfs.nvmet;

import java.util.regex.Pattern;

/** The form of what says to a node how it reaches a subsystem, in democratic-csi's spelling. */
final class NvmeTransport {
    static final String REMEDY = "write it as tcp://10.0.0.1:4420, rdma://10.0.0.1:4420 or fc://[nn-0x…:pn-0x…]";

    private static final String QUERY = "(\\?[A-Za-z0-9-]+=[A-Za-z0-9_.:%-]+(&[A-Za-z0-9-]+=[A-Za-z0-9_.:%-]+)*)?";
    private static final Pattern IP = Pattern.compile(
            "(tcp|rdma)://([A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.%A-Za-z]{2,64}\\])(:[0-9]{1,5})?/?" + QUERY);
    private static final Pattern FC =
            Pattern.compile("fc://\\[nn-0x[0-9A-Fa-f]{1,16}:pn-0x[0-9A-Fa-f]{1,16}\\]" + QUERY);

    private NvmeTransport() {}

    /** @throws IllegalArgumentException where no node could use it */
    static String checked(String text) {
        if (text.length() > 512
                || !(IP.matcher(text).matches() || FC.matcher(text).matches())) {
            throw new IllegalArgumentException("'" + text + "' is no address of an NVMe target");
        }
        return text;
    }
}
