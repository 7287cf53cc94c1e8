package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Reads what is on a device: whether it is blank, and remains of file systems whose beginning is gone. Reading all of a
 * device takes hours; what is read here takes less than a second, and is where every known file system, and whoever
 * writes to a device from its beginning, has left something.
 */
final class DeviceContent {
    /** The number of bytes at the beginning and at the end that are read whole. */
    private static final long ENDS = 4L << 20;

    /** The samples between the ends, at equal distances. */
    private static final int SAMPLES = 64;

    private static final int SAMPLE = 1 << 16;
    private static final int BLOCK = 4096;
    private static final int EXT_MAGIC = 0xEF53;
    private static final List<Integer> EXT_GROUPS = List.of(1, 3, 5, 7, 9, 25, 27, 49, 81, 125, 243, 343, 625);
    private static final long BTRFS_AT = 64L << 10;
    private static final long BTRFS_SEED = 1L << 32;
    private static final List<Long> BTRFS_MIRRORS = List.of(64L << 20, 256L << 30);
    private static final int XFS_GROUPS = 4;
    private static final int XFS_UNFINISHED_AT = 126;

    private final FileChannel channel;
    private final long size;

    DeviceContent(FileChannel channel) throws IOException {
        this.channel = channel;
        this.size = channel.size();
        if (size <= 0) {
            throw new IOException("it has no size");
        }
    }

    long size() {
        return size;
    }

    /** Names bytes that are read whole. */
    private record Range(long from, long to) {}

    /** Returns what is read to prove the device empty: both ends, and the samples between them. */
    private List<Range> ranges() {
        List<Range> ranges = new ArrayList<>();
        ranges.add(new Range(0, Math.min(ENDS, size)));
        ranges.add(new Range(Math.max(0, size - ENDS), size));
        for (int i = 1; i < SAMPLES; i++) {
            long at = size / SAMPLES * i / BLOCK * BLOCK;
            ranges.add(new Range(at, Math.min(size, at + SAMPLE)));
        }
        return ranges;
    }

    /** Returns whether both ends and the samples between them hold nothing but zeros. */
    boolean isBlank() throws IOException {
        for (Range range : ranges()) {
            if (!isZero(range)) {
                return false;
            }
        }
        return true;
    }

    private boolean isZero(Range range) throws IOException {
        for (long at = range.from(); at < range.to(); ) {
            ByteBuffer chunk = read(at, (int) Math.min(SAMPLE, range.to() - at));
            at += chunk.remaining();
            while (chunk.hasRemaining()) {
                if (chunk.get() != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns a digest of both ends and the samples between them. */
    String digest() throws IOException {
        MessageDigest digest = sha256();
        for (Range range : ranges()) {
            for (long at = range.from(); at < range.to(); ) {
                ByteBuffer chunk = read(at, (int) Math.min(SAMPLE, range.to() - at));
                at += chunk.remaining();
                digest.update(chunk);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (chunk.hasRemaining()) {
            if (channel.read(chunk, at + chunk.position()) <= 0) {
                throw new IOException("it ends at " + (at + chunk.position()) + " of " + size + " bytes");
            }
        }
        return chunk.flip();
    }

    /** Returns whether an XFS is there that says of itself that its making has not ended. */
    boolean isUnfinishedXfs() throws IOException {
        return size >= BLOCK && isXfs(0) && read(0, BLOCK).get(XFS_UNFINISHED_AT) != 0;
    }

    /** Returns the copies of superblocks that file systems keep away from the beginning, if any is there. */
    List<Signature> copies() throws IOException {
        List<Signature> found = new ArrayList<>();
        if (hasExtCopy()) {
            found.add(copy("ext"));
        }
        for (long mirror : BTRFS_MIRRORS) {
            if (mirror + BLOCK <= size && isBtrfs(read(mirror, BLOCK))) {
                found.add(copy("btrfs"));
            }
        }
        long blocks = size / BLOCK;
        for (int group = 1; group < XFS_GROUPS; group++) {
            if (isXfs(blocks / XFS_GROUPS * group * BLOCK)
                    || isXfs((blocks + XFS_GROUPS - 1) / XFS_GROUPS * group * BLOCK)) {
                found.add(copy("xfs"));
            }
        }
        return found;
    }

    private static Signature copy(String type) {
        return new Signature(Kind.OTHER, type + " (a copy of its superblock)", Optional.empty());
    }

    private boolean isXfs(long at) throws IOException {
        return at + BLOCK <= size && text(read(at, BLOCK), 0, 4).equals("XFSB");
    }

    /**
     * Says what the superblock of a btrfs tells of it.
     *
     * @param devices the number of devices that it is made of
     * @param seed whether other file systems may be made on top of it
     * @param log whether its log is not replayed
     */
    record Btrfs(long devices, boolean seed, boolean log) {}

    /** Reads the superblock of a btrfs. */
    Btrfs btrfs() throws IOException {
        ByteBuffer block = read(BTRFS_AT, BLOCK);
        if (!isBtrfs(block)) {
            throw new IOException("it has no superblock of a btrfs");
        }
        return new Btrfs(block.getLong(136), (block.getLong(56) & BTRFS_SEED) != 0, block.getLong(96) != 0);
    }

    private static boolean isBtrfs(ByteBuffer block) {
        return text(block, 64, 8).equals("_BHRfS_M");
    }

    private boolean hasExtCopy() throws IOException {
        for (int blockSize : List.of(1024, 2048, 4096)) {
            long groupSize = 8L * blockSize * blockSize;
            int first = blockSize == 1024 ? blockSize : 0;
            for (int group : EXT_GROUPS) {
                long at = groupSize * group + first;
                if (at + BLOCK <= size) {
                    ByteBuffer block = read(at, BLOCK);
                    if (block.getChar(56) == EXT_MAGIC && block.getChar(90) == group) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static String text(ByteBuffer block, int at, int length) {
        byte[] bytes = new byte[length];
        block.get(at, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
