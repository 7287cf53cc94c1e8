package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** A process that makes and deletes volumes of many files in a base folder until it is killed; says when it begins. */
final class RemovalToKill {
    private static final int FILES = 400;

    private RemovalToKill() {}

    public static void main(String[] arguments) throws IOException {
        Path base = Path.of(arguments[0]);
        DirectoryFixture process =
                new DirectoryFixture(base, task -> Thread.ofPlatform().daemon().start(task));
        VolumeStore store = process.open();
        process.removals().takeUp();
        System.out.println("begins");
        System.out.flush();
        while (true) {
            NativeId id = new NativeId("pvc-" + UUID.randomUUID());
            store.create(store.plan(TestVolumes.empty(id.value()), id), TestWork.patient());
            for (int i = 0; i < FILES; i++) {
                Path deep = Files.createDirectories(
                        base.resolve("v").resolve(id.value()).resolve("d" + i % 7 + "/e"));
                Files.writeString(deep.resolve("f" + i), "content");
            }
            store.delete(id, OnDependents.REFUSE, TestWork.patient());
        }
    }
}
