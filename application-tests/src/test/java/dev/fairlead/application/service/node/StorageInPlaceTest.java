package dev.fairlead.application.service.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node whose process knows the storage asks it before it attaches a volume by a path. */
class StorageInPlaceTest {
    private static final Attachment FOLDER = new Attachment.HostPath("/srv/pool/v/pvc-1");

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = node();
    private final List<String> asked = new ArrayList<>();
    private boolean away;

    private NodeUseCases node() {
        on.mounts.existing(Path.of("/srv/pool/v/pvc-1"));
        on.asking((handle, _) -> {
            asked.add(handle);
            if (away) {
                throw new StorageException(new Failure.BackendUnavailable("nas", "another disk is there"));
            }
        });
        return on.process();
    }

    private void stage(Attachment volume) {
        ProtocolNode.stage(node, volume, TestVolumes.MOUNT, TestWork.patient());
    }

    @Test
    void a_volume_on_another_disk_is_not_mounted_and_can_be_unstaged() {
        String before = on.dump();
        away = true;

        Failing.with(Failure.BackendUnavailable.class, () -> stage(FOLDER));
        assertThat(on.dump()).isEqualTo(before);
        node.unstageVolume().unstage(ProtocolNode.HANDLE, ProtocolNode.STAGING, TestWork.patient());

        away = false;
        stage(FOLDER);
        assertThat(asked).containsExactly(ProtocolNode.HANDLE, ProtocolNode.HANDLE);
    }

    @Test
    void a_volume_that_is_mounted_is_published_staged_again_and_taken_away_whatever_became_of_its_disk() {
        stage(FOLDER);
        away = true;

        stage(FOLDER);
        ProtocolNode.publish(node, FOLDER, TestVolumes.MOUNT, TestWork.patient());
        node.unmountVolume().unmount(ProtocolNode.HANDLE, ProtocolNode.POD, TestWork.patient());
        node.unstageVolume().unstage(ProtocolNode.HANDLE, ProtocolNode.STAGING, TestWork.patient());
        assertThat(asked).hasSize(1);
    }

    @Test
    void storage_on_a_server_is_not_asked() {
        away = true;
        stage(ProtocolNode.SHARE);
        assertThat(asked).isEmpty();
    }

    @Test
    void a_connection_whose_file_was_removed_keeps_no_volume_from_its_pods() {
        try (Connections none =
                new Connections(Thread.ofPlatform().factory(), InstantSource.system(), Telemetry.NONE)) {
            assertThatCode(() -> UseCases.inPlaceBy(none, new HandleCodec.Proxied())
                            .check(ProtocolNode.HANDLE, TestWork.patient()))
                    .doesNotThrowAnyException();
        }
    }
}
