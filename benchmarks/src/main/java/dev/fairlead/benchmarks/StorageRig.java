package dev.fairlead.benchmarks;

import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs a controller of one {@code zfs-generic-nfs} connection to the storage host of the lab, and scripts that do the
 * same.
 */
final class StorageRig implements AutoCloseable {
    private static final String TYPE = "zfs-generic-nfs";
    private static final String PARENT = "tank/bench/v";
    private static final String FLOOR = "tank/bench/f";
    private static final String OPTIONS = "rw,no_subtree_check,no_root_squash";
    private static final String LIST = String.join(
            ",",
            "type",
            "mountpoint",
            "refquota",
            "origin",
            "democratic-csi:managed_resource",
            "democratic-csi:provision_success",
            "democratic-csi:csi_volume_name",
            "democratic-csi:csi_volume_content_source_type",
            "democratic-csi:csi_volume_content_source_id",
            "democratic-csi:volume_context_provisioner_driver",
            "democratic-csi:volume_context_provisioner_instance_id",
            "democratic-csi:csi_share_volume_context");
    /**
     * The longest deadline of a command that does not count as a copy; of copies only few may run on a host at once.
     */
    private static final Duration LONG = Duration.ofHours(1);

    private final CommandRunner scripts;
    private final OneConnectionFixture controller;
    private final AtomicInteger commands;

    private StorageRig(CommandRunner scripts, OneConnectionFixture controller, AtomicInteger commands) {
        this.scripts = scripts;
        this.controller = controller;
        this.commands = commands;
    }

    /**
     * Connects to the storage host that {@code lab/storage env} names, and makes the dataset {@code tank/bench} there
     * anew.
     */
    static StorageRig enter() {
        SshModule.Sessions sessions =
                SshModule.sessions(Thread.ofPlatform().daemon().factory());
        CommandRunnerFactory ssh = SshModule.ssh(() -> sessions);
        AtomicInteger commands = new AtomicInteger();
        CommandRunnerFactory counting = (scope, file) -> new Counting(ssh.open(scope, file), commands);
        ConfigNode file = file();
        var scope = new ConnectionScope(new ConnectionName("nas"), TYPE, Optional.empty(), "benchmark");
        CommandRunner scripts = ssh.open(scope, file());
        script(
                scripts,
                "zfs destroy -R tank/bench 2>/dev/null; zfs create -p " + PARENT + " && zfs create " + FLOOR
                        + " && zfs create tank/bench/s");
        var connections = new ZfsConnections(new StorageHosts(Map.of("ssh", counting, "local", counting)));
        var controller = new OneConnectionFixture(
                TYPE,
                ZfsStoreModule.filesystems(connections).open(scope, file),
                ShareModule.nfs(connections).open(scope, file));
        return new StorageRig(scripts, controller, commands);
    }

    private static ConfigNode file() {
        return ConfigNode.root(
                ConfigTrees.of(Map.of(
                        "sshConnection",
                        Map.of(
                                "host",
                                "127.0.0.1",
                                "port",
                                Integer.parseInt(environment("FAIRLEAD_STORAGE_SSH")),
                                "username",
                                "root",
                                "privateKey",
                                environment("FAIRLEAD_STORAGE_KEY"),
                                "knownHosts",
                                environment("FAIRLEAD_STORAGE_HOSTS")),
                        "zfs",
                        Map.of("datasetParentName", PARENT, "datasetEnableQuotas", true),
                        "nfs",
                        Map.of(
                                "shareHost",
                                "127.0.0.1",
                                "shareStrategy",
                                "setDatasetProperties",
                                "shareStrategySetDatasetProperties",
                                Map.of("properties", Map.of("sharenfs", OPTIONS))))),
                new Problems("nas.yaml"));
    }

    /** Returns the content of a file's block {@code sshConnection} for the storage host, indented by two spaces. */
    static String sshConnection() {
        return "  host: 127.0.0.1\n  port: %s\n  username: root\n  privateKey: |\n%s"
                .formatted(
                        environment("FAIRLEAD_STORAGE_SSH"),
                        environment("FAIRLEAD_STORAGE_KEY").strip().indent(4));
    }

    private static String environment(String name) {
        return Optional.ofNullable(System.getenv(name)).orElseThrow();
    }

    /** Counts the commands that are sent to the storage host. */
    private record Counting(CommandRunner runner, AtomicInteger count) implements CommandRunner {
        @Override
        public Ended run(Command command, Work work) {
            count.incrementAndGet();
            return runner.run(command, work);
        }

        @Override
        public void close() {
            runner.close();
        }
    }

    int commands() {
        return commands.get();
    }

    private static String script(CommandRunner runner, String text) {
        CommandRunner.Ended ended = runner.run(
                Command.of(new Effect("script", "floor"), List.of("/bin/sh", "-c", text))
                        .writing(new Command.Output.Text(256 << 20))
                        .within(LONG),
                TestWork.patient());
        if (!ended.succeeded()) {
            throw new IllegalStateException(ended.trouble());
        }
        return ended.output();
    }

    private void script(String text) {
        script(scripts, text);
    }

    /** Returns work with ten minutes left, for a caller that waits behind a hundred others on an emulated machine. */
    private static Work work(String what) {
        return TestWork.named(what).left(Duration.ofMinutes(10));
    }

    void create(String name) {
        controller
                .useCases()
                .createVolume()
                .create(
                        new CreateVolume.Command(
                                new CsiName(name),
                                TestVolumes.atLeast(TestVolumes.SIZE),
                                List.of(TestVolumes.MOUNT),
                                OneConnectionFixture.ON_NAS,
                                Source.NONE,
                                AccessibilityRequirement.NONE),
                        work(name));
    }

    void floorCreate(String name) {
        String dataset = FLOOR + "/" + name;
        script("zfs create -o democratic-csi:csi_volume_name=" + name + " -o democratic-csi:managed_resource=true"
                + " -o democratic-csi:volume_context_provisioner_driver=" + TYPE
                + " -o 'democratic-csi:csi_share_volume_context={\"node_attach_driver\":\"nfs\",\"server\":\"127.0.0.1\","
                + "\"share\":\"/" + dataset + "\"}' -o democratic-csi:provision_success=true -o refquota="
                + TestVolumes.SIZE.bytes() + " -o sharenfs=" + OPTIONS + " " + dataset
                + " && zfs get -Hp -o name,property,value,source " + LIST + ",sharenfs,mounted " + dataset);
    }

    void snapshot(String name) {
        controller.useCases().takeSnapshot().take(new CsiName("s-" + name), "v:nas/" + name, Map.of(), work(name));
    }

    void floorSnapshot(String name) {
        String snapshot = FLOOR + "/" + name + "@s-" + name;
        script("zfs snapshot -o democratic-csi:csi_snapshot_name=s-" + name
                + " -o democratic-csi:csi_snapshot_source_volume_id=" + name
                + " -o democratic-csi:managed_resource=true -o democratic-csi:provision_success=true " + snapshot
                + " && zfs get -Hp -o name,property,value,source creation,referenced,democratic-csi:managed_resource "
                + snapshot);
    }

    void destroySnapshots() {
        script("for s in $(zfs list -H -o name -t snapshot -r tank/bench); do zfs destroy $s || exit 1; done");
    }

    void delete(String name) {
        controller.useCases().deleteVolume().delete("v:nas/" + name, work(name));
    }

    void floorDelete(String name) {
        String dataset = FLOOR + "/" + name;
        script("zfs destroy -f " + dataset + "; ! zfs list " + dataset + " 2>/dev/null");
    }

    /** Makes so many volumes by a script, which is not part of what is measured. */
    void fill(int count) {
        script("seq " + count + " | xargs -P 32 -I{} zfs create -o canmount=noauto -o refquota=1G"
                + " -o democratic-csi:managed_resource=true -o democratic-csi:csi_volume_name=pvc-{}"
                + " -o 'democratic-csi:csi_share_volume_context={\"node_attach_driver\":\"nfs\",\"server\":\"127.0.0.1\","
                + "\"share\":\"/" + PARENT + "/pvc-{}\"}' " + PARENT + "/pvc-{}");
    }

    void empty() {
        script("zfs destroy -r " + PARENT + " && zfs create " + PARENT);
    }

    void list(int expected) {
        int found = controller
                .useCases()
                .listVolumes()
                .list(Optional.empty(), 0, work("list"))
                .items()
                .size();
        if (found != expected) {
            throw new IllegalStateException("listed " + found + " volumes of " + expected);
        }
    }

    void floorList() {
        script("zfs list -Hp -r -d 1 -t filesystem -o name," + LIST + " " + PARENT);
    }

    @Override
    public void close() {
        controller.close();
        script("zfs destroy -R tank/bench");
        scripts.close();
    }
}
