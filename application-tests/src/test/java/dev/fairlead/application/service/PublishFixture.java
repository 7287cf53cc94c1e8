package dev.fairlead.application.service;

import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Optional;

/** A controller over two connections, one whose volumes are closed and one whose volumes are open; and two nodes. */
public final class PublishFixture implements AutoCloseable {
    public static final String ONE = "n=node-1/a=10.0.0.1";
    public static final String TWO = "n=node-2/a=10.0.0.2";
    public static final String VOLUME = "v:nas/pvc-1";
    public static final NativeId ID = TestVolumes.id("pvc-1");
    public static final VolumeCapability SHARED = TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER);

    public final InMemoryStorage nas = InMemoryStorage.named("nas");
    public final InMemoryStorage open = InMemoryStorage.named("open");
    public final ControllerFixture controller =
            ControllerFixture.proxy().with(nas, ControllerFixture.closed()).with(open);

    public void publish(String handle, String node, VolumeCapability capability, boolean readonly) {
        publish(controller, handle, node, capability, readonly);
    }

    public static void publish(
            ControllerFixture by, String handle, String node, VolumeCapability capability, boolean readonly) {
        by.useCases
                .publishVolume()
                .publish(new PublishVolume.Command(handle, node, capability, readonly), TestWork.patient());
    }

    public void unpublish(String handle, Optional<String> node) {
        controller.useCases.unpublishVolume().unpublish(handle, node, TestWork.patient());
    }

    /** Those that reach the volume {@link #ID}. */
    public List<String> letIn() {
        return List.copyOf(nas.admitted(ID).orElseThrow().initiators().keySet());
    }

    @Override
    public void close() {
        controller.close();
    }
}
