package dev.fairlead.lab.soak.record;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The records of one volume: each a line of its number, the volume's name and a checksum of both, which the pod's shell
 * counts by itself, since a program for each record would be too much for a hundred pods.
 */
public record RecordText(String volume) {
    private static final long FACTOR = 2_654_435_761L;
    private static final long MODULUS = 1L << 32;

    /** Returns the line of a record, without its end. */
    public String line(long number) {
        return number + " " + volume + " " + (number * FACTOR + seed()) % MODULUS;
    }

    /** Returns the part of the checksum that is the volume's. */
    public long seed() {
        CRC32 crc = new CRC32();
        crc.update(volume.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }
}
