package dev.fairlead.simulator.engine;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Lists what hangs on a dataset and goes before it does: shares, extents, namespaces. */
public final class Attachments {
    private final List<Attachment> kinds = new ArrayList<>();

    /** Removes one kind of what hangs on a dataset. */
    @FunctionalInterface
    public interface Attachment {
        /** Removes what hangs on a dataset or below it. */
        void release(Tables tables, String dataset);
    }

    /** Adds a kind. */
    public void add(Attachment kind) {
        kinds.add(kind);
    }

    /** Removes all that hangs on a dataset or below it, and says whether there was anything. */
    public boolean release(Tables tables, String dataset) {
        long before = tables.revision();
        kinds.forEach(kind -> kind.release(tables, dataset));
        return tables.revision() != before;
    }

    /** Tells whether a path of a filesystem lies on a dataset or below it. */
    public static boolean isOn(String path, String dataset) {
        String mountpoint = "/mnt/" + dataset;
        return path.equals(mountpoint) || path.startsWith(mountpoint + "/");
    }

    /** Tells whether a volume's path is that of a dataset or of one below it. */
    public static boolean isVolumeOf(JsonObject row, String member, String dataset) {
        String volume = volume(JsonTools.text(row, member));
        return volume.equals(dataset) || volume.startsWith(dataset + "/");
    }

    /**
     * Returns the volume of a path such as zvol/tank/a; a plus sign stands for a space, which no path of a device has.
     */
    public static String volume(String path) {
        return path.replaceFirst("^zvol/", "").replace('+', ' ');
    }
}
