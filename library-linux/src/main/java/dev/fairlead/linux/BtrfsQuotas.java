package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.INT;
import static dev.fairlead.linux.NativeCall.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Holds what a btrfs counted of its subvolumes when it was asked. What was written since the last commit, which is at
 * most half a minute ago unless that time was changed, is not in it.
 *
 * @param subvolumes the counts by the numbers of subvolumes
 * @param generation that of the block that was read first, into which each commit writes: what changed after it was
 *     read is in blocks of this or a later one
 */
public record BtrfsQuotas(State state, Map<Long, QuotaUse> subvolumes, long generation) {
    private static final NativeCall IOCTL = NativeCall.ofInt("ioctl", 3, Linker.Option.firstVariadicArg(2));

    /** {@code _IOWR(0x94, 17, struct btrfs_ioctl_search_args_v2)} */
    private static final long TREE_SEARCH_V2 = 0xc0709411L;

    private static final int KEY = 104;
    private static final int HEADER = 32;
    private static final int ROOM = 64 << 10;
    private static final long ALL = -1;

    private static final long ROOT_TREE = 1;
    private static final long QUOTA_TREE = 8;
    private static final int ROOT_REF = 156;
    private static final int QGROUP_STATUS = 240;
    private static final int QGROUP_INFO = 242;
    private static final int QGROUP_LIMIT = 244;
    private static final long LEVELS = 48;

    private static final long ON = 1;
    private static final long INCONSISTENT = 4;
    private static final long SIMPLE = 8;
    private static final long LIMITS_REFERRED = 1;

    private static final Keys ALL_COUNTS = new Keys(QUOTA_TREE, 0, 0, QGROUP_STATUS, QGROUP_LIMIT, 0, ALL);

    public BtrfsQuotas {
        subvolumes = Collections.unmodifiableMap(subvolumes);
    }

    /** Tells whether limits hold. */
    public enum State {
        /** Nothing is counted. */
        OFF,
        /** Only what a subvolume wrote itself is counted, and not what it shares with another one. */
        SIMPLE,
        /** Everything that a subvolume refers to is counted. */
        ON,
        /** The same, but the counts are wrong until everything was counted anew. */
        INCONSISTENT
    }

    /**
     * Holds what is known of one subvolume.
     *
     * @param referred the bytes that it can reach, with those that others reach too
     * @param limit the most that it may refer to; empty if there is no limit
     */
    public record QuotaUse(long referred, OptionalLong limit) {
        static final QuotaUse NOTHING = new QuotaUse(0, OptionalLong.empty());
    }

    /** Reads the counts of all subvolumes; needs {@code CAP_SYS_ADMIN}. */
    public static BtrfsQuotas of(Path folder) throws LinuxException {
        return read(folder, ALL_COUNTS, new Reader());
    }

    /**
     * Reads the counts that have changed since a reading of the same file system, and takes all others over from it.
     * Subvolumes that were deleted since, and counts that somebody has removed, are among those. If the file system is
     * older than that reading, all is read. Needs {@code CAP_SYS_ADMIN}.
     */
    public static BtrfsQuotas after(Path folder, BtrfsQuotas before) throws LinuxException {
        if (before.state() == State.OFF) {
            return of(folder);
        }
        Reader reader = new Reader(before);
        BtrfsQuotas found = read(folder, ALL_COUNTS, reader);
        return found.state() == State.OFF || reader.status ? found : of(folder);
    }

    /** Reads whether limits hold, and no count; needs {@code CAP_SYS_ADMIN}. */
    public static State state(Path folder) throws LinuxException {
        return read(folder, new Keys(QUOTA_TREE, 0, 0, QGROUP_STATUS, QGROUP_STATUS, 0, 0), new Reader())
                .state();
    }

    private static BtrfsQuotas read(Path folder, Keys keys, Reader reader) throws LinuxException {
        try {
            return BtrfsCalls.ask(folder, (state, fd, arena) -> {
                search(state, fd, arena, keys, reader.generation, reader);
                return new BtrfsQuotas(reader.found, reader.counts, reader.generation);
            });
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return new BtrfsQuotas(State.OFF, Map.of(), 0); // there is no such tree
            }
            throw e;
        }
    }

    /** Reads the count of the subvolume that a folder is in; empty if it has none, or this is no btrfs. */
    public static Optional<QuotaUse> in(Path folder) throws LinuxException {
        try {
            return counted(folder);
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.ENOTTY, Errno.EOPNOTSUPP, Errno.EPERM, Errno.ENOTDIR, Errno.ELOOP -> Optional.empty();
                default -> throw e;
            };
        }
    }

    /**
     * Reads the count of the subvolume of a btrfs that a folder is in; empty if it has none. Needs
     * {@code CAP_SYS_ADMIN}.
     */
    public static Optional<QuotaUse> counted(Path folder) throws LinuxException {
        try {
            return BtrfsCalls.ask(folder, (state, fd, arena) -> {
                MemorySegment lookup = arena.allocate(4096, 8);
                lookup.set(LONG, 8, 256);
                IOCTL.call(state, fd, BtrfsCalls.INO_LOOKUP, lookup.address());
                long number = lookup.get(LONG, 0);
                Reader reader = new Reader();
                for (int type : new int[] {QGROUP_INFO, QGROUP_LIMIT}) {
                    search(state, fd, arena, new Keys(QUOTA_TREE, 0, 0, type, type, number, number), 0, reader);
                }
                return Optional.ofNullable(reader.counts.get(number));
            });
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty(); // there is no such tree
            }
            throw e;
        }
    }

    /** Returns whether other subvolumes lie below one, which its quota does not count. */
    public static boolean hasBelow(Path folder, long subvolume) throws LinuxException {
        return BtrfsCalls.ask(folder, (state, fd, arena) -> {
            Found found = new Found();
            search(state, fd, arena, new Keys(ROOT_TREE, subvolume, subvolume, ROOT_REF, ROOT_REF, 0, ALL), 0, found);
            return found.any;
        });
    }

    /** Says which items of which tree are looked for. */
    private record Keys(
            long tree, long first, long last, int firstType, int lastType, long firstOffset, long lastOffset) {}

    /** Takes an item, with the generation of its block. */
    @FunctionalInterface
    private interface Items {
        void take(int type, long offset, long generation, MemorySegment content);
    }

    private static final class Found implements Items {
        private boolean any;

        @Override
        public void take(int type, long offset, long generation, MemorySegment content) {
            any |= type == ROOT_REF;
        }
    }

    /** Collects items of the tree of quotas. */
    private static final class Reader implements Items {
        private final Map<Long, QuotaUse> counts;
        private long generation;
        private State found;

        /** Notes that the state was read, and not taken over. */
        private boolean status;

        Reader() {
            this(new BtrfsQuotas(State.OFF, Map.of(), 0));
        }

        /** @param before what is known; items of blocks that are older are not read */
        Reader(BtrfsQuotas before) {
            this.counts = new HashMap<>(before.subvolumes());
            this.generation = before.generation();
            this.found = before.state();
        }

        @Override
        public void take(int type, long offset, long generation, MemorySegment content) {
            if (type == QGROUP_STATUS) {
                status = true;
                this.generation = generation;
                found = state(content.get(LONG.withByteAlignment(1), 16));
            } else if (offset >>> LEVELS == 0) {
                QuotaUse before = counts.getOrDefault(offset, QuotaUse.NOTHING);
                counts.put(
                        offset,
                        type == QGROUP_INFO
                                ? new QuotaUse(content.get(LONG.withByteAlignment(1), 8), before.limit())
                                : new QuotaUse(before.referred(), limit(content)));
            }
        }

        private static OptionalLong limit(MemorySegment content) {
            boolean limits = (content.get(LONG.withByteAlignment(1), 0) & LIMITS_REFERRED) != 0;
            return limits ? OptionalLong.of(content.get(LONG.withByteAlignment(1), 8)) : OptionalLong.empty();
        }

        private static State state(long flags) {
            if ((flags & ON) == 0) {
                return State.OFF;
            }
            if ((flags & SIMPLE) != 0) {
                return State.SIMPLE;
            }
            return (flags & INCONSISTENT) != 0 ? State.INCONSISTENT : State.ON;
        }
    }

    /** @param generation of the oldest blocks whose items are looked at; the tree may change between two calls */
    private static void search(MemorySegment state, int fd, Arena arena, Keys keys, long generation, Items items)
            throws LinuxException {
        MemorySegment room = arena.allocate(KEY + 8L + ROOM, 8);
        long object = keys.first();
        int type = keys.firstType();
        long offset = keys.firstOffset();
        while (true) {
            room.set(LONG, 0, keys.tree());
            room.set(LONG, 8, object);
            room.set(LONG, 16, keys.last());
            room.set(LONG, 24, offset);
            room.set(LONG, 32, keys.lastOffset());
            room.set(LONG, 40, generation);
            room.set(LONG, 48, ALL);
            room.set(INT, 56, type);
            room.set(INT, 60, keys.lastType());
            room.set(INT, 64, Integer.MAX_VALUE);
            room.set(LONG, KEY, ROOM);
            IOCTL.call(state, fd, TREE_SEARCH_V2, room.address());
            int count = room.get(INT, 64);
            if (count == 0) {
                return;
            }
            long at = KEY + 8L;
            for (int i = 0; i < count; i++) {
                object = room.get(LONG.withByteAlignment(1), at + 8);
                offset = room.get(LONG.withByteAlignment(1), at + 16);
                type = room.get(INT.withByteAlignment(1), at + 24);
                int length = room.get(INT.withByteAlignment(1), at + 28);
                if (type >= keys.firstType() && type <= keys.lastType()) {
                    long written = room.get(LONG.withByteAlignment(1), at);
                    items.take(type, offset, written, room.asSlice(at + HEADER, length));
                }
                at += HEADER + length;
            }
            if (offset == ALL) {
                return;
            }
            offset++; // the key after the last one that was answered
        }
    }
}
