package dev.fairlead.adapter.zfs.cli;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Computes what {@code LC_ALL=C sort | cksum} prints of lines, as POSIX defines it. It stands for lines of which a
 * script would not have room for any number.
 */
final class LineDigest {
    private static final int POLYNOMIAL = 0x04C11DB7;

    private LineDigest() {}

    /**
     * Returns the checksum and the length of the sorted lines, each with its line break; of no line, of an empty one.
     */
    static String of(List<String> lines) {
        List<byte[]> sorted = Arrays.stream(String.join("\n", lines).split("\n", -1))
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .sorted(Arrays::compareUnsigned)
                .toList();
        int crc = 0;
        long length = 0;
        for (byte[] line : sorted) {
            for (byte each : line) {
                crc = with(crc, each);
            }
            crc = with(crc, '\n');
            length += line.length + 1L;
        }
        for (long left = length; left != 0; left >>>= Byte.SIZE) {
            crc = with(crc, (int) left);
        }
        return Integer.toUnsignedString(~crc) + " " + length;
    }

    private static int with(int crc, int octet) {
        int next = crc ^ (octet & 0xFF) << 24;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            next = next < 0 ? next << 1 ^ POLYNOMIAL : next << 1;
        }
        return next;
    }
}
