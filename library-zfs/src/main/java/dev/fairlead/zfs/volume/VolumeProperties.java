package dev.fairlead.zfs.volume;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.BlockSize;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.NoteProperties;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.ShareContext;
import dev.fairlead.zfs.property.TransferredSource;
import dev.fairlead.zfs.settings.DevicePaths;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads a volume from the properties of its dataset. */
public final class VolumeProperties {
    /** The properties to ask for, so that a volume can be read. */
    public static final List<String> ASKED = Stream.concat(
                    Stream.of(
                            "type",
                            "mountpoint",
                            "volsize",
                            "volblocksize",
                            "refquota",
                            "origin",
                            PeerProperties.MANAGED,
                            PeerProperties.SUCCESS,
                            PeerProperties.VOLUME_NAME,
                            PeerProperties.SOURCE_TYPE,
                            PeerProperties.SOURCE_ID,
                            PeerProperties.PROVISIONER_DRIVER,
                            PeerProperties.PROVISIONER_INSTANCE,
                            PeerProperties.SHARE_CONTEXT,
                            PeerProperties.ISCSI_ASSET,
                            PeerProperties.NVMEOF_ASSET,
                            OwnProperties.NOTES,
                            OwnProperties.GRANTS,
                            OwnProperties.SOURCE,
                            OwnProperties.STATE),
                    PeerProperties.FREENAS_IDS.stream().map(id -> PeerProperties.FREENAS_PREFIX + id))
            .toList();

    /** The note of the size of a filesystem that has no quota. */
    public static final String SIZE = "size";

    private static final String VOLUME = "volume";
    private static final String FROM_SNAPSHOT = "snapshot";

    private final DatasetName dataset;
    private final Map<String, Property> properties;

    /** @param properties at least those that are {@link #ASKED} for */
    public VolumeProperties(DatasetName dataset, Map<String, Property> properties) {
        this.dataset = dataset;
        this.properties = Map.copyOf(properties);
    }

    /**
     * Says whether the mark of a managed volume was set on the dataset itself: children and snapshots inherit it, and
     * so would everything below a parent that somebody marked.
     */
    public boolean isManaged() {
        return own(PeerProperties.MANAGED).filter(PeerProperties.TRUE::equals).isPresent();
    }

    /**
     * Says whether the volume is complete; if not, its creation was interrupted, and a repeated call goes on with it.
     */
    public boolean isWhole() {
        return own(OwnProperties.STATE).filter(OwnProperties.MAKING::equals).isEmpty();
    }

    public boolean isOf(DatasetType type) {
        return text("type").filter(type.word()::equals).isPresent();
    }

    /**
     * Says whether democratic-csi began the volume and did not finish it: it sets one mark last of all, and Fairlead's
     * volumes have a state.
     */
    public boolean isLeftByPeer() {
        return isManaged()
                && own(OwnProperties.STATE).isEmpty()
                && own(PeerProperties.SUCCESS)
                        .filter(PeerProperties.TRUE::equals)
                        .isEmpty();
    }

    /** Says whether the volume_context is noted that democratic-csi would answer. */
    public boolean hasShareContext() {
        return own(PeerProperties.SHARE_CONTEXT).flatMap(ShareContext::read).isPresent();
    }

    public boolean isBlockDevice() {
        return text("type").filter(VOLUME::equals).isPresent();
    }

    /** Returns the snapshot that it is a clone of. */
    public Optional<SnapshotName> origin() {
        return text("origin").flatMap(SnapshotName::of);
    }

    /** Returns the size of a block volume's blocks, which never changes. */
    public Optional<BlockSize> blockSize() {
        return text("volblocksize").flatMap(BlockSize::of);
    }

    /** Returns the path at which a filesystem is mounted on the storage host. */
    public Optional<String> mountpoint() {
        return text("mountpoint").filter(path -> path.startsWith("/"));
    }

    /** @param id the volume's id on the connection */
    public StoredVolume volume(NativeId id) {
        Map<String, String> notes = allNotes();
        notes.remove(SIZE);
        return new StoredVolume(id, name(), capacity(), medium(), content(), notes);
    }

    /** Returns the notes, including that of the size. */
    public Map<String, String> allNotes() {
        return NoteProperties.read(notes());
    }

    /**
     * Returns the properties to set so that these notes are added; what says the same already is left as it is written.
     * A volume whose context is added has all that democratic-csi gives one, and so gets its last mark.
     */
    public Map<String, String> noting(Map<String, String> more) {
        Map<String, String> now = allNotes();
        Map<String, String> all = new TreeMap<>(now);
        all.putAll(more);
        Map<String, String> news = NoteProperties.write(all);
        news.entrySet().removeAll(NoteProperties.write(now).entrySet());
        if (news.containsKey(PeerProperties.SHARE_CONTEXT)) {
            news.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        }
        return news;
    }

    /** Returns what {@code zfs get -o value} prints of a property. */
    public String printed(String key) {
        return Optional.ofNullable(properties.get(key)).map(Property::value).orElse("-");
    }

    private Optional<CsiName> name() {
        return own(PeerProperties.VOLUME_NAME).flatMap(CsiName::read);
    }

    /** Returns the volume's size; for a filesystem without a quota, the size that was noted with it, if any. */
    public Optional<Capacity> capacity() {
        Optional<Capacity> held = bytes(text(isBlockDevice() ? "volsize" : "refquota"));
        return held.isPresent() || isBlockDevice()
                ? held
                : bytes(Optional.ofNullable(allNotes().get(SIZE)));
    }

    /** Says whether the volume's users are held to a size. */
    public boolean hasQuota() {
        return bytes(text("refquota")).isPresent();
    }

    private static Optional<Capacity> bytes(Optional<String> text) {
        return text.filter(digits -> digits.matches("[0-9]{1,18}|1[0-9]{18}"))
                .map(Long::valueOf)
                .filter(bytes -> bytes > 0)
                .map(Capacity::ofBytes);
    }

    private VolumeMedium medium() {
        return isBlockDevice()
                ? DevicePaths.of(dataset)
                : new VolumeMedium.Filesystem(mountpoint().orElse(""));
    }

    /** Returns the content of another connection that it was made of. */
    public Optional<Content.Transferred> transferred() {
        return own(OwnProperties.SOURCE).flatMap(TransferredSource::read);
    }

    private Content content() {
        Optional<Content.Transferred> transferred = transferred();
        if (transferred.isPresent()) {
            return transferred.get();
        }
        Optional<NativeId> id = own(PeerProperties.SOURCE_ID).flatMap(NativeId::read);
        if (id.isEmpty()) {
            return Content.EMPTY;
        }
        return own(PeerProperties.SOURCE_TYPE).filter(FROM_SNAPSHOT::equals).isPresent()
                ? new Content.OfSnapshot(id.get())
                : new Content.OfVolume(id.get());
    }

    private Map<String, String> notes() {
        Map<String, String> own = new TreeMap<>();
        properties.forEach((key, property) -> own(key).ifPresent(value -> own.put(key, value)));
        return own;
    }

    private Optional<String> text(String key) {
        return Optional.ofNullable(properties.get(key)).filter(Property::isSet).map(Property::value);
    }

    private Optional<String> own(String key) {
        return Optional.ofNullable(properties.get(key))
                .filter(Property::isSet)
                .filter(Property::isOwn)
                .map(Property::value);
    }
}
