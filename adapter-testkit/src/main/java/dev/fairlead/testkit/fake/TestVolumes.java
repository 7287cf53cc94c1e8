package dev.fairlead.testkit.fake;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeCapability;
import java.util.List;
import java.util.Map;

/** Requests and capabilities that tests start from. */
public final class TestVolumes {
    /** A file system for one node that writes. */
    public static final VolumeCapability MOUNT =
            new VolumeCapability(new VolumeCapability.Mount("", List.of()), AccessMode.SINGLE_NODE_WRITER);

    /** A raw device for one node that writes. */
    public static final VolumeCapability BLOCK =
            new VolumeCapability(new VolumeCapability.Block(), AccessMode.SINGLE_NODE_WRITER);

    /** The size of a test's volumes, small so that a store that reserves space can hold many. */
    public static final Capacity SIZE = Capacity.ofBytes(16L << 20);

    private TestVolumes() {}

    public static VolumeCapability mount(AccessMode mode, String... flags) {
        return new VolumeCapability(new VolumeCapability.Mount("", List.of(flags)), mode);
    }

    /** Returns a request for an empty volume of {@link #SIZE} with a file system. */
    public static CreateRequest empty(String name) {
        return with(name, Content.EMPTY);
    }

    public static CreateRequest with(String name, Content content) {
        return new CreateRequest(new CsiName(name), atLeast(SIZE), List.of(MOUNT), Map.of(), content);
    }

    public static CreateRequest fromSnapshot(String name, NativeId snapshot) {
        return with(name, new Content.OfSnapshot(snapshot));
    }

    public static CreateRequest fromVolume(String name, NativeId volume) {
        return with(name, new Content.OfVolume(volume));
    }

    public static CreateRequest sized(String name, Capacity size) {
        return sized(name, size, Content.EMPTY);
    }

    public static CreateRequest sized(String name, Capacity size, Content content) {
        return new CreateRequest(new CsiName(name), atLeast(size), List.of(MOUNT), Map.of(), content);
    }

    public static CreateRequest capable(String name, VolumeCapability capability) {
        return new CreateRequest(new CsiName(name), atLeast(SIZE), List.of(capability), Map.of(), Content.EMPTY);
    }

    public static CapacityRange atLeast(Capacity size) {
        return CapacityRange.of(size.bytes(), 0);
    }

    public static SnapshotRequest snapshot(String name, StoredVolume source) {
        return new SnapshotRequest(new CsiName(name), source.id(), Map.of());
    }

    public static NativeId id(String text) {
        return new NativeId(text);
    }
}
