package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.domain.digest.Digests;
import java.util.HexFormat;

/**
 * What a host knows a disk by. It is derived from the subsystem's name, so that the same disk is shown again when the
 * target is made anew, and the paths of a multipath device find each other.
 *
 * @param uuid of the namespace
 * @param nguid of the namespace, written as the kernel writes it
 * @param serial of the subsystem; empty where the kernel has none to be set
 */
record NvmeIdentity(String uuid, String nguid, String serial) {
    /** Older kernels read 16 digits as a number, and lose zeros at its beginning. */
    private static final int SERIAL_DIGITS = 15;

    static NvmeIdentity of(String nqn) {
        byte[] uuid = Digests.sha256("uuid " + nqn);
        uuid[6] = (byte) ((uuid[6] & 0x0f) | 0x80); // version 8: made in a way of one's own
        uuid[8] = (byte) ((uuid[8] & 0x3f) | 0x80);
        return new NvmeIdentity(
                grouped(uuid),
                grouped(Digests.sha256("nguid " + nqn)),
                "f" + HexFormat.of().formatHex(Digests.sha256("serial " + nqn)).substring(0, SERIAL_DIGITS));
    }

    /** The same with the serial number that the settings give to every subsystem. */
    NvmeIdentity withSerial(String other) {
        return new NvmeIdentity(uuid, nguid, other);
    }

    private static String grouped(byte[] bytes) {
        String hex = HexFormat.of().formatHex(bytes, 0, 16);
        return hex.substring(0, 8)
                + "-" + hex.substring(8, 12)
                + "-" + hex.substring(12, 16)
                + "-" + hex.substring(16, 20)
                + "-" + hex.substring(20);
    }
}
