package dev.fairlead.adapter.zfs.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Datasets that are shared at one time. */
class ShareTurnsTest {
    private final ZfsHost host = new ZfsHost(
            new FakePool("tank"),
            new ZfsCommands(List.of("zfs")),
            new ConnectionScope(new ConnectionName("nas"), "zfs-generic-nfs", Optional.empty(), "test"),
            new SeenParents(List.of(), Optional.empty(), Optional.empty()));
    private final ShareTurns turns = new ShareTurns();

    private String alone(String name, java.util.function.Supplier<String> action) {
        return turns.alone(ShareProtocol.SMB, new DatasetName(name), host, action);
    }

    @Test
    void two_of_one_name_are_not_shared_at_once() {
        assertThat(alone("tank/a", () -> alone("tank/b", () -> "both"))).isEqualTo("both");
        Failing.with(Failure.BackendUnavailable.class, () -> alone("tank/a", () -> alone("tank/A", () -> "both")));
        assertThat(alone("tank/A", () -> "after it")).isEqualTo("after it");
    }

    @Test
    void one_that_fails_is_in_nobodys_way() {
        assertThatThrownBy(() -> alone("tank/a", () -> {
                    throw host.notNow("it fails");
                }))
                .hasMessageContaining("it fails");

        assertThat(alone("tank/A", () -> "after it")).isEqualTo("after it");
    }
}
