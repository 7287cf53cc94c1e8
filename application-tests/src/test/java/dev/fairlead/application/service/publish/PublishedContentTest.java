package dev.fairlead.application.service.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.PublishFixture;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.BackendSettingsBuilder;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What ControllerPublishVolume tells a node of a device's content, and what the node makes of it. */
class PublishedContentTest {
    private static final String HANDLE = "v:san/pvc-1";

    private final InMemoryStorage san = InMemoryStorage.named("san").of(EnumSet.allOf(VolumeMedium.Kind.class));
    private final Probed store = new Probed(san);
    private final ControllerFixture controller = ControllerFixture.proxy()
            .with(
                    san,
                    store,
                    new BackendSettingsBuilder()
                            .capabilities(CapabilityRules.sharedDevices())
                            .closed(true)
                            .build());
    private final ProtocolNode on = new ProtocolNode();

    @AfterEach
    void close() {
        controller.close();
    }

    /** A store of block volumes whose probe is counted, and may find something else. */
    private static final class Probed extends FaultyStore {
        private final AtomicInteger probes = new AtomicInteger();
        private ContentProbe probe;
        private boolean able = true;

        Probed(InMemoryStorage storage) {
            super(storage);
            this.probe = sound.contentProbe().orElseThrow();
        }

        @Override
        public Birth plan(CreateRequest request, NativeId suggested) {
            Birth birth = super.plan(request, suggested);
            return new Birth(
                    birth.id(),
                    birth.request(),
                    birth.capacity(),
                    new VolumeMedium.BlockDevice(birth.medium().path()),
                    birth.notes());
        }

        @Override
        public Optional<ContentProbe> contentProbe() {
            ContentProbe counted = (id, work) -> {
                probes.incrementAndGet();
                return probe.probe(id, work);
            };
            return Optional.of(counted).filter(_ -> able);
        }
    }

    private Map<String, String> publish(String node, VolumeCapability capability) {
        return controller
                .useCases
                .publishVolume()
                .publish(new PublishVolume.Command(HANDLE, node, capability, false), TestWork.patient());
    }

    private Map<String, String> publish() {
        return publish(PublishFixture.ONE, TestVolumes.MOUNT);
    }

    private void write() {
        san.write(PublishFixture.ID, "data", "precious");
    }

    private void stage(Map<String, String> published) {
        ProtocolNode.stage(
                on.process(), ProtocolNode.TARGET, TestVolumes.MOUNT, Map.of(), published, TestWork.patient());
    }

    @Test
    void a_node_is_told_whether_the_storage_has_anything_of_a_device() {
        controller.create("pvc-1", "san");

        assertThat(publish()).containsExactly(Map.entry("fairlead.dev/device", "blank"));
        write();

        assertThat(publish()).containsExactly(Map.entry("fairlead.dev/device", "written"));
    }

    @Test
    void what_the_storage_cannot_tell_is_left_out() {
        controller.create("pvc-1", "san");
        store.probe = (_, _) -> HostFinding.UNKNOWN;

        assertThat(publish()).isEmpty();
    }

    @Test
    void a_store_without_a_probe_publishes_as_ever() {
        controller.create("pvc-1", "san");
        store.able = false;

        assertThat(publish()).isEmpty();
    }

    @Test
    void nobody_asks_about_a_raw_device() {
        controller.create("pvc-1", "san");

        assertThat(publish(PublishFixture.ONE, TestVolumes.BLOCK)).isEmpty();
        assertThat(store.probes).hasValue(0);
    }

    @Test
    void nobody_asks_about_a_file_system_of_the_storage() {
        InMemoryStorage nas = InMemoryStorage.named("nas").of(EnumSet.allOf(VolumeMedium.Kind.class));
        controller.with(nas, ControllerFixture.closed());
        controller.create("pvc-1", "nas");
        nas.write(PublishFixture.ID, "data", "precious");

        assertThat(controller
                        .useCases
                        .publishVolume()
                        .publish(
                                new PublishVolume.Command(
                                        PublishFixture.VOLUME, PublishFixture.ONE, TestVolumes.MOUNT, false),
                                TestWork.patient()))
                .isEmpty();
    }

    @Test
    void nobody_is_let_in_while_the_storage_does_not_answer() {
        controller.create("pvc-1", "san");
        store.probe = (_, _) -> {
            throw new StorageException(new Failure.BackendUnavailable("san", "it is silent"));
        };

        Failing.with(Failure.BackendUnavailable.class, () -> {
            var _ = publish();
        });

        assertThat(san.admitted(PublishFixture.ID).orElseThrow().isEmpty()).isTrue();
    }

    @Test
    void an_answer_of_the_storage_that_makes_no_sense_keeps_no_volume_from_its_node() {
        controller.create("pvc-1", "san");
        store.probe = (_, _) -> {
            throw new StorageException(new Failure.Unintelligible("san", "it references 1.5M"));
        };

        assertThat(publish()).isEmpty();

        assertThat(san.admitted(PublishFixture.ID).orElseThrow().isEmpty()).isFalse();
    }

    @Test
    void a_second_node_is_told_what_is_so_by_then() {
        controller.create("pvc-1", "san");
        var _ = publish();
        write();
        controller.useCases.unpublishVolume().unpublish(HANDLE, Optional.of(PublishFixture.ONE), TestWork.patient());

        assertThat(HostFinding.read(publish(PublishFixture.TWO, TestVolumes.MOUNT)))
                .isEqualTo(HostFinding.WRITTEN);
    }

    /** The beginning, the end and the samples of the device are zeros, and its middle is not. */
    @Test
    void a_device_with_content_that_no_node_has_seen_is_not_formatted() {
        controller.create("pvc-1", "san");
        write();

        Failing.with(Failure.FormatRefused.class, () -> stage(publish()));

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
    }

    @Test
    void a_device_that_is_blank_to_both_is_formatted_and_then_used() {
        controller.create("pvc-1", "san");
        Map<String, String> first = publish();
        stage(first);
        write();

        stage(first);
        ProtocolNode.unstage(on.process(), TestWork.patient());
        stage(publish());

        assertThat(on.filesystems.formats()).containsExactly("ext4 " + ProtocolNode.DEVICE);
    }

    /** An attachment and its publish_context outlive a restart of the node. */
    @Test
    void what_was_blank_when_it_was_published_is_not_formatted_if_it_is_not_blank_any_more() {
        controller.create("pvc-1", "san");
        Map<String, String> old = publish();
        on.filesystems.noise(ProtocolNode.DEVICE, 1L << 30);

        Failing.with(Failure.FormatRefused.class, () -> stage(old));

        assertThat(on.filesystems.formats()).isEmpty();
    }

    /** What the format wrote until then is all that the storage knows of. */
    @Test
    void a_format_that_was_cut_is_begun_anew_although_the_storage_knows_of_its_beginning() {
        controller.create("pvc-1", "san");
        Map<String, String> first = publish();
        Failing.works(() -> ProtocolNode.stage(
                on.process(),
                ProtocolNode.TARGET,
                TestVolumes.MOUNT,
                Map.of(),
                first,
                TestWork.patient().cancelledAfter(5)));
        assertThat(on.filesystems.formats()).isEmpty();
        write();

        stage(publish());

        assertThat(on.filesystems.formats()).containsExactly("ext4 " + ProtocolNode.DEVICE);
    }
}
