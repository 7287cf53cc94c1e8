package dev.fairlead.adapter.zfs.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.zfs.host.ShareProtocol;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.OwnProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Shutting nodes out of NFS, beyond what every exporter promises. */
class NfsRevocationTest {
    private static final String DATASET = "tank/v/pvc-1";

    private final ShareFixture fixture = new ShareFixture();
    private final StoredVolume volume = fixture.volume(ShareFixture.birth("pvc-1"), Access.CLOSED);
    private final Grants both = grant(1).with(grant(2).all().getFirst());

    private static Grants grant(int node) {
        return Grants.NONE.with(
                new Grant("node-" + node, "10.0.0." + node, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
    }

    private Exporter exporter(Map<String, String> properties) {
        ShareSettings settings =
                ShareSettings.read(ShareFixture.node(Map.of("nfs", share(properties))), ShareProtocol.NFS);
        return new PropertyExporter(fixture.connection(), ShareProtocol.NFS, settings);
    }

    private static Map<String, Object> share(Map<String, String> properties) {
        return Map.of(
                "shareHost",
                "nas",
                "shareStrategy",
                "setDatasetProperties",
                "shareStrategySetDatasetProperties",
                Map.of("properties", properties));
    }

    private Exporter exporter(String options) {
        return exporter(Map.of("sharenfs", options));
    }

    private void admitted(String options) {
        try (Exporter exporter = exporter(options)) {
            exporter.accessControl().orElseThrow().admit(volume, both, TestWork.patient());
        }
    }

    private static void revoke(Exporter exporter, StoredVolume volume, Grants remaining) {
        try (exporter) {
            exporter.revocation().orElseThrow().revoke(volume, remaining, TestWork.patient());
        }
    }

    private String shared() {
        return fixture.pool().own(DATASET).getOrDefault("sharenfs", "-");
    }

    @Test
    void who_stays_is_shared_with_by_the_options_that_the_dataset_has() {
        admitted("sec=krb5p,rw,no_root_squash");

        revoke(exporter("sec=sys,rw,crossmnt"), volume, grant(2));

        assertThat(shared()).isEqualTo("sec=krb5p,no_root_squash,rw=10.0.0.2");
    }

    @Test
    void nodes_are_shut_out_where_the_file_lets_nobody_be_told_from_others_any_more() {
        admitted("rw");
        for (Map<String, String> properties : List.of(
                Map.of("sharenfs", "off"), Map.of("sharenfs", "on", "sharesmb", "on"), Map.of("sharesmb", "on"))) {
            revoke(exporter(properties), volume, grant(2));
            assertThat(shared()).isEqualTo("rw=10.0.0.2");
        }

        revoke(exporter("off"), volume, Grants.NONE);

        assertThat(shared()).isEqualTo("off");
        assertThat(fixture.shared(ShareProtocol.NFS)).isZero();
    }

    @Test
    void what_somebody_else_has_made_of_the_share_goes_with_who_is_shut_out() {
        admitted("rw,no_root_squash");
        for (String theirs : List.of("-maproot=root -network 10.0.0.0/8", "off")) {
            fixture.pool().play(List.of("zfs", "set", "sharenfs=" + theirs, DATASET));
            revoke(exporter("rw,no_root_squash"), volume, grant(2));
            assertThat(shared()).isEqualTo("no_root_squash,rw=10.0.0.2");
        }
    }

    @Test
    void a_share_that_is_inherited_or_of_a_form_without_hosts_is_none_to_go_by() {
        fixture.pool().play(List.of("zfs", "set", "sharenfs=sec=krb5,rw", "tank/v"));

        revoke(exporter("-maproot=root -network 10.0.0.0/8"), volume, grant(2));

        assertThat(shared()).isEqualTo("rw=10.0.0.2");
    }

    @Test
    void what_reads_back_differently_is_no_success() {
        admitted("rw");
        fixture.pool().lie("sharenfs", "rw=10.0.0.1:10.0.0.2");

        Failing.with(Failure.Unintelligible.class, () -> revoke(exporter("rw"), volume, grant(2)));
    }

    @Test
    void a_share_that_the_host_keeps_is_no_success() {
        admitted("rw");
        fixture.pool().shares().exportfsFails(true);

        assertThatThrownBy(() -> revoke(exporter("rw"), volume, Grants.NONE)).hasMessageContaining("still shares");
    }

    @Test
    void nodes_are_shut_out_of_a_volume_whose_parent_has_lost_its_mark() {
        admitted("rw");
        for (Grants remaining : List.of(grant(2), Grants.NONE)) {
            revoke(marked(), volume, remaining);
            assertThat(shared()).isEqualTo(remaining.isEmpty() ? "off" : "rw=10.0.0.2");
        }
        fixture.remove(volume);

        Failing.with(Failure.BackendUnavailable.class, () -> revoke(marked(), volume, Grants.NONE));
        Failing.with(Failure.BackendUnavailable.class, () -> revoke(marked(), volume, grant(2)));
        fixture.pool().play(List.of("zfs", "set", "dev.fairlead:parent=west", "tank/v"));
        Failing.with(Failure.VolumeNotFound.class, () -> revoke(marked(), volume, Grants.NONE));
    }

    private Exporter marked() {
        ShareSettings settings = ShareSettings.read(
                ShareFixture.node(Map.of("nfs", share(Map.of("sharenfs", "rw")))), ShareProtocol.NFS);
        return new PropertyExporter(fixture.marked("west"), ShareProtocol.NFS, settings);
    }

    @Test
    void a_volume_that_is_gone_is_told() {
        fixture.remove(volume);

        Failing.with(Failure.VolumeNotFound.class, () -> revoke(exporter("rw"), volume, Grants.NONE));
        Failing.with(Failure.VolumeNotFound.class, () -> revoke(exporter("rw"), volume, grant(2)));
    }

    @Test
    void a_node_that_the_host_still_exports_to_is_not_shut_out() {
        admitted("rw");
        StoredVolume recorded = recording(both);
        fixture.pool().shares().exportfsFails(true);

        assertThatThrownBy(() -> revoke(exporter("rw"), recorded, grant(2))).hasMessageContaining("still shares");

        fixture.pool().shares().exportfsFails(false);
        revoke(exporter("rw"), recorded, Grants.NONE);
    }

    /** A script that outlives its call runs after others that were planned from a later record. */
    @Test
    void a_script_that_was_planned_from_an_older_record_changes_nothing() {
        admitted("rw");
        Map<String, String> own = new HashMap<>(fixture.pool().own(DATASET));
        own.put("dev.fairlead:grants", both.text());
        fixture.pool().put(DATASET, "filesystem", own);
        StoredVolume older = recording(grant(1));

        assertThatThrownBy(() -> revoke(exporter("rw"), older, Grants.NONE)).hasMessageContaining("changed meanwhile");
        assertThatThrownBy(
                        () -> exporter("rw").accessControl().orElseThrow().admit(older, grant(1), TestWork.patient()))
                .hasMessageContaining("changed meanwhile");

        assertThat(shared()).isEqualTo("rw=10.0.0.1:10.0.0.2");
        revoke(exporter("rw"), recording(both), grant(2));
        assertThat(shared()).isEqualTo("rw=10.0.0.2");
    }

    /** Another process shuts node 1 out and answers OK, after the look at the record and before the stale share. */
    @Test
    void a_node_that_was_shut_out_in_the_middle_of_a_share_is_not_let_in_again() {
        admitted("rw");
        record(both);
        before(2, () -> shutOutElsewhere(grant(2)));

        assertThatThrownBy(() -> admit(both)).hasMessageContaining("changed meanwhile");

        assertThat(shared()).isEqualTo("rw=10.0.0.2");
    }

    @Test
    void nodes_that_are_shut_out_one_after_the_other_meanwhile_stay_out() {
        admitted("rw");
        record(both);
        // the stale share, its two looks, the record that is read again, and the look at it
        before(2, () -> {
            shutOutElsewhere(grant(2));
            before(5, () -> shutOutElsewhere(Grants.NONE));
        });

        assertThatThrownBy(() -> admit(both)).hasMessageContaining("changed meanwhile");

        assertThat(shared()).isEqualTo("off");
    }

    @Test
    void a_record_that_changes_whenever_it_is_read_ends_the_call() {
        admitted("rw");
        record(both);
        AtomicInteger changes = new AtomicInteger();
        before(2, () -> eachStep(() -> record(grant(changes.incrementAndGet() % 2 + 1))));

        assertThatThrownBy(() -> admit(both)).hasMessageContaining("changed meanwhile");
    }

    private void admit(Grants grants) {
        try (Exporter exporter = exporter("rw")) {
            exporter.accessControl().orElseThrow().admit(recording(grants), grants, TestWork.patient());
        }
    }

    private void record(Grants grants) {
        fixture.pool().play(List.of("zfs", "set", OwnProperties.GRANTS + "=" + grants.text(), DATASET));
    }

    private void shutOutElsewhere(Grants remaining) {
        String hosts = remaining.isEmpty()
                ? "off"
                : "rw=" + String.join(":", remaining.initiators().keySet());
        fixture.pool().play(List.of("zfs", "set", "sharenfs=" + hosts, DATASET));
        record(remaining);
    }

    /** Does something before the step of this number, counted from the next one on. */
    private void before(int step, Runnable action) {
        fixture.pool().beforeSteps(step == 1 ? action : () -> before(step - 1, action));
    }

    private void eachStep(Runnable action) {
        fixture.pool().beforeSteps(() -> {
            action.run();
            eachStep(action);
        });
    }

    private StoredVolume recording(Grants grants) {
        Map<String, String> notes = new HashMap<>(Access.CLOSED);
        notes.putAll(grants.note());
        return volume.withNotes(notes);
    }
}
