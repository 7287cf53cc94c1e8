package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.cluster.DriverRemains;
import dev.fairlead.application.port.out.cluster.Remains;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class UninstallCheckCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Set<String>> asked = new ArrayList<>();
    private int pauses;

    private int run(Remains remains, String... options) {
        return run(
                (DriverRemains) drivers -> {
                    asked.add(drivers);
                    return remains;
                },
                options);
    }

    private int run(DriverRemains cluster, String... options) {
        Terminal terminal = new Terminal(stream(out), stream(err), false, false);
        return new CommandLine(new UninstallCheckCommand(() -> cluster, terminal, _ -> pauses++)).execute(options);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void nothing_is_in_the_way_where_nothing_is_left() {
        int code = run(new Remains(List.of(), List.of()), "--csi-name=a", "--csi-name=b");

        assertThat(code).isZero();
        assertThat(asked).containsExactly(Set.of("a", "b"));
        assertThat(said()).isEqualTo("No volume and no snapshot of a, b is left.\n");
    }

    @Test
    void the_first_few_are_named_with_their_claims_and_what_can_be_done() {
        List<Remains.Volume> volumes = new ArrayList<>();
        volumes.add(new Remains.Volume("kept", Optional.of("shop/data"), "Released", false));
        IntStream.range(0, 6)
                .forEach(i -> volumes.add(new Remains.Volume("pv-" + i, Optional.empty(), "Available", false)));
        Remains remains =
                new Remains(volumes, List.of(new Remains.Snapshot("content-1", Optional.of("shop/nightly"), false)));

        int code = run(remains, "--csi-name=a", "--release=store", "--namespace=storage", "--revision=4");

        assertThat(code).isEqualTo(3);
        assertThat(said())
                .startsWith("NOT UNINSTALLED: of a 7 volumes and 1 snapshot are left,")
                .contains("\n  volume kept, Released, claim shop/data\n")
                .contains("\n  volume pv-3, Available\n  and 2 more (kubectl get pv)\n")
                .contains("\n  snapshot content content-1, snapshot shop/nightly\n")
                .contains("helm uninstall store -n storage --no-hooks\n")
                .contains("helm rollback store 4 -n storage\n");
    }

    @Test
    void one_is_one() {
        run(new Remains(List.of(new Remains.Volume("pv", Optional.empty(), "", false)), List.of()), "--csi-name=a");

        assertThat(said()).startsWith("NOT UNINSTALLED: of a 1 volume is left,").contains("\n  volume pv\n");
    }

    @Test
    void what_is_being_deleted_is_waited_for_and_not_for_ever() {
        Remains going = new Remains(List.of(new Remains.Volume("pv", Optional.empty(), "Released", true)), List.of());
        DriverRemains soon = _ -> pauses < 3 ? going : new Remains(List.of(), List.of());

        assertThat(run(soon, "--csi-name=a")).isZero();
        assertThat(pauses).isEqualTo(3);
        assertThat(run(going, "--csi-name=a")).isEqualTo(3);
        assertThat(asked).hasSize(30);
    }

    @Test
    void what_cannot_be_known_refuses_too_and_says_why() {
        DriverRemains silent = _ -> {
            throw new StorageException(new Failure.ClusterUnavailable("listing PersistentVolumes", "status 503"));
        };

        int code = run(silent, "--csi-name=a");

        assertThat(code).isOne();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("whether volumes are left cannot be known: FL-KUBE-001")
                .contains("status 503");
    }

    @Test
    void a_driver_has_to_be_named() {
        assertThat(run(new Remains(List.of(), List.of()))).isEqualTo(2);
    }
}
