package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.BlockSize;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.PropertyParts;
import dev.fairlead.zfs.property.PropertyTexts;
import dev.fairlead.zfs.settings.DevicePaths;
import dev.fairlead.zfs.volume.BirthMarks;
import dev.fairlead.zfs.volume.ParentChoice;
import dev.fairlead.zfs.volume.Sizing;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Decides what a volume will be, and refuses what cannot be, without asking the box.
 *
 * @param checkMutable refuses mutable parameters that no volume can have
 */
public record VolumePlanning(FreenasStoreSettings settings, Consumer<Map<String, String>> checkMutable) {
    /** The folder below which a box mounts its pools. */
    public static final String MOUNTS = "/mnt/";

    /** The longest path of a device below {@code /dev}. */
    private static final int LONGEST_DEVICE = 255;

    /** The smallest quota that the API takes. */
    private static final Capacity LEAST_QUOTA = Capacity.ofBytes(1L << 30);

    public Birth plan(CreateRequest request, NativeId suggested) {
        DatasetName parent = new ParentChoice(settings.layout().parents()).of(request.parameters());
        DatasetName name = DatasetName.of(parent + "/" + suggested)
                .filter(it -> settings.layout().volume(it).isPresent())
                .orElseThrow(() -> refused(
                        "name",
                        "gives the id '" + suggested
                                + "' (expected: 1 to 128 of A-Z, a-z, 0-9, '_' and '-', the first a"
                                + " letter or digit, and with the parent dataset at most " + DatasetName.MAX_BYTES
                                + " bytes)"));
        checkKind(request, name);
        if (parent.value().length() > DatasetLayout.LONGEST_PARENT) {
            throw refused(
                    "parameters",
                    "name the parent dataset " + parent + " (expected: at most " + DatasetLayout.LONGEST_PARENT
                            + " bytes)");
        }
        VolumeMedium medium = isBlock() ? DevicePaths.of(name) : new VolumeMedium.Filesystem(MOUNTS + name);
        var birth = new Birth(settings.layout().volume(name).orElseThrow(), request, size(request), medium, Map.of());
        checkMutable.accept(request.mutable());
        checkValues(birth);
        return birth;
    }

    private boolean isBlock() {
        return settings.kind() == VolumeMedium.Kind.BLOCK_DEVICE;
    }

    private void checkKind(CreateRequest request, DatasetName name) {
        if (!isBlock() && request.capabilities().stream().anyMatch(VolumeCapability::isBlock)) {
            throw new StorageException(new Failure.Unsupported(
                    "a raw block volume of a store of filesystems",
                    "use volumeMode: Filesystem, or a connection that has block devices"));
        }
        if (isBlock() && ("zvol/" + name).length() > LONGEST_DEVICE) {
            throw refused("name", "gives a device path that is too long (expected: a shorter name or parent dataset)");
        }
    }

    private Capacity size(CreateRequest request) {
        var sizing = new Sizing(request.capacity());
        Capacity chosen = request.capacity().choose();
        if (isBlock()) {
            BlockSize blocks = settings.zfs().blockSize();
            return request.content() instanceof Content.Empty
                    ? sizing.inBlocks(blocks, chosen)
                    : sizing.inBlocksOfAnySource(blocks, chosen);
        }
        return settings.zfs().quota() ? quota(request.capacity(), sizing.exactly(chosen)) : sizing.exactly(chosen);
    }

    /** Returns a size that a box can set as a quota; throws if the range has none. */
    public static Capacity quota(CapacityRange range, Capacity chosen) {
        Capacity size = chosen.isLessThan(LEAST_QUOTA) ? LEAST_QUOTA : chosen;
        if (range.exceededBy(size)) {
            throw new StorageException(new Failure.CapacityOutOfRange("capacity_range.limit_bytes: "
                    + range.limit().orElseThrow() + " (expected: at least " + size
                    + ", the smallest quota that a TrueNAS sets)"));
        }
        return size;
    }

    private void checkValues(Birth birth) {
        PropertyParts.spread(new BirthMarks(settings.zfs()).created(birth, Map.of()))
                .forEach((key, value) -> {
                    if (value.codePointCount(0, value.length()) > PropertyParts.MOST_CHARACTERS
                            || value.indexOf('\0') >= 0) {
                        throw refused(
                                "parameters",
                                "give the property " + key + " a value that the API does not take (expected: at most "
                                        + PropertyParts.MOST_CHARACTERS + " characters, none of them NUL)");
                    }
                    if (!DatasetFields.takes(key) || !PropertyTexts.isName(key)) {
                        throw refused(
                                "parameters",
                                "set " + key + ", which the API does not (expected: some of " + DatasetFields.taken()
                                        + ")");
                    }
                });
    }

    private static StorageException refused(String field, String expected) {
        return new StorageException(new Failure.InvalidRequest(field, expected));
    }
}
