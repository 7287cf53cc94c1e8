package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.domain.digest.Digests;
import java.util.HexFormat;

/**
 * Identifies a disk to hosts. It is derived from the subsystem's name, so that a target that is made anew shows the
 * same disk, and the paths of a multipath device match.
 *
 * @param uuid the namespace's UUID
 * @param nguid the namespace's NGUID, written as the kernel writes it
 * @param serial the subsystem's serial number; empty if the kernel lets none be set
 */
record NvmeIdentity(String uuid, String nguid, String serial) {
    /** The digits of a serial number; older kernels read 16 as a number and lose leading zeros. */
    private static final int SERIAL_DIGITS = 15;

    static NvmeIdentity of(String nqn) {
        byte[] uuid = Digests.sha256("uuid " + nqn);
        uuid[6] = (byte) ((uuid[6] & 0x0f) | 0x80); // version 8: the rest is made in a private way
        uuid[8] = (byte) ((uuid[8] & 0x3f) | 0x80);
        return new NvmeIdentity(
                grouped(uuid),
                grouped(Digests.sha256("nguid " + nqn)),
                "f" + HexFormat.of().formatHex(Digests.sha256("serial " + nqn)).substring(0, SERIAL_DIGITS));
    }

    /** Returns the same with the serial number that the settings give to every subsystem. */
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
