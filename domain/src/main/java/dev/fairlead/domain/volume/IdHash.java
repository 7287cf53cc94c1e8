package dev.fairlead.domain.volume;

import dev.fairlead.domain.digest.Digests;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.CRC32;

/**
 * Computes the hashes of democratic-csi's {@code _private.csi.volume.idHash}, over UTF-8: MD5 in lower-case hex, the
 * checksums as unsigned decimals.
 *
 * <p>The checksums are far too short to keep names apart; {@link Compatibility} notices if two names get the same one.
 */
public enum IdHash {
    NONE,
    MD5,
    CRC8,
    CRC16,
    CRC32;

    /** Returns the hash of this name in any case; an empty name means {@link #NONE}. */
    public static IdHash named(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "" -> NONE;
            case "md5" -> MD5;
            case "crc8" -> CRC8;
            case "crc16" -> CRC16;
            case "crc32" -> CRC32;
            default ->
                throw new IllegalArgumentException(
                        "idHash: '" + name + "' is not a known hash (expected: md5, crc8, crc16 or crc32)");
        };
    }

    /** Returns the hash of the text; the text itself for {@link #NONE}. */
    public String of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return switch (this) {
            case NONE -> text;
            case MD5 -> HexFormat.of().formatHex(Digests.md5(text));
            case CRC8 -> Integer.toString(crc8(bytes));
            case CRC16 -> Integer.toString(crc16(bytes));
            case CRC32 -> Long.toString(crc32(bytes));
        };
    }

    /** Computes a CRC-8: polynomial 0x07, no reflection, from 0. */
    private static int crc8(byte[] bytes) {
        int crc = 0;
        for (byte b : bytes) {
            crc ^= b & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = ((crc & 0x80) != 0 ? (crc << 1) ^ 0x07 : crc << 1) & 0xFF;
            }
        }
        return crc;
    }

    /** Computes a CRC-16/ARC: polynomial 0x8005 reflected, from 0. */
    private static int crc16(byte[] bytes) {
        int crc = 0;
        for (byte b : bytes) {
            crc ^= b & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? (crc >>> 1) ^ 0xA001 : crc >>> 1;
            }
        }
        return crc;
    }

    private static long crc32(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }
}
