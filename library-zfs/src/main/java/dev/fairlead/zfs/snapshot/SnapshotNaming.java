package dev.fairlead.zfs.snapshot;

import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.IdPolicy;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gives snapshots their names: those that were asked for, as far as ZFS and CSI's handles take them. */
public final class SnapshotNaming {
    /** The fewest bytes of a shortened name, which with less would be all digest. */
    private static final int LEAST_NAME = 32;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_:.][A-Za-z0-9_:.-]*");

    /** The form of a name that was shortened, see {@link IdPolicy#shorten}. */
    private static final Pattern SHORTENED = Pattern.compile(".+(--[0-9a-v]{26})");

    private SnapshotNaming() {}

    /** @param id the id of the volume, with which the snapshot's id begins */
    public static SnapshotName name(CsiName wanted, NativeId id, DatasetName volume, int maxIdBytes) {
        int room = room(id, volume, maxIdBytes);
        if (room < LEAST_NAME) {
            throw new StorageException(new Failure.InvalidRequest(
                    "name",
                    "leaves " + room + " bytes for the name of a snapshot of " + volume + " (expected: at least "
                            + LEAST_NAME + "; use a shorter parent dataset)"));
        }
        String text = IdPolicy.shorten(plain(wanted.value()), room);
        try {
            return volume.snapshot(text);
        } catch (IllegalArgumentException e) {
            throw new StorageException(
                    new Failure.InvalidRequest("name", "cannot be the name of a snapshot of " + volume), e);
        }
    }

    /**
     * Returns how many bytes the name of a snapshot may have. A peer's volume may have an id as long as a handle may
     * be; the ids of its snapshots are then longer, as the peer's are, since there is no other name for them.
     */
    private static int room(NativeId id, DatasetName volume, int maxIdBytes) {
        return Math.min(
                Math.max(maxIdBytes - id.value().length() - 1, LEAST_NAME),
                DatasetName.MAX_BYTES - volume.value().length() - 1);
    }

    /**
     * Says whether a volume of this id can have snapshots: not if its dataset's name is too long, which Fairlead hardly
     * made.
     */
    public static boolean hasRoom(NativeId id, DatasetName volume, int maxIdBytes) {
        return room(id, volume, maxIdBytes) >= LEAST_NAME;
    }

    public static NativeId group(CsiName wanted, int maxIdBytes) {
        return new NativeId(IdPolicy.shorten(plain(wanted.value()), Math.max(maxIdBytes, LEAST_NAME)));
    }

    /**
     * Returns a regular expression for all names that snapshots of this wanted name may have, whatever room their
     * volumes leave: one, unless it is long. It matches names of others too, so what is found by it is looked at. A
     * peer's snapshot has the wanted name itself.
     *
     * @param wanted the name, or the id of a group, which is made of its name
     */
    public static String pattern(String wanted) {
        String plain = plain(wanted);
        Set<String> forms = new TreeSet<>(Set.of(quoted(plain)));
        if (NAME.matcher(wanted).matches()) {
            forms.add(quoted(wanted));
        }
        // A shortened name ends in the same digest, however much is left of its beginning.
        for (String text : List.of(wanted, IdPolicy.shorten(plain, LEAST_NAME))) {
            Matcher shortened = SHORTENED.matcher(text);
            if (shortened.matches()) {
                forms.add(".+" + shortened.group(1));
            }
        }
        return String.join("|", forms);
    }

    private static String quoted(String name) {
        return name.replace(".", "[.]");
    }

    /**
     * Returns a name that ZFS takes and that no helper has. A wanted name that ZFS does not take, as CSI allows any, is
     * replaced by one with a digest of it.
     */
    private static String plain(String name) {
        return NAME.matcher(name).matches() && name.chars().anyMatch(c -> c != '.') && !DatasetLayout.isHelperName(name)
                ? name
                : "s" + name.replaceAll("[^A-Za-z0-9]", "_") + "--"
                        + HexFormat.of().formatHex(Digests.sha256(name)).substring(0, 26);
    }
}
