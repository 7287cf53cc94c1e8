package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages over pools in which some of the other program's volumes do not count, since Fairlead made them anew. */
class HostpathPagesTest {
    @TempDir(factory = InMemory.class)
    Path folder;

    private static String volume(int number) {
        return "pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f000" + number;
    }

    private Mapping pool(String name) {
        return PoolFixture.pool(name, folder.resolve(name), "directory", Map.of("hostpathProvisioner", "true"));
    }

    private static void shadow(VolumeStore store, int number, NativeId source) {
        String name = volume(number);
        CreateRequest plain = TestVolumes.with(name, new Content.OfVolume(source));
        CreateRequest request = new CreateRequest(
                plain.name(),
                plain.capacity(),
                plain.capabilities(),
                Map.of("storagePool", "scratch"),
                plain.content());
        store.create(store.plan(request, new NativeId(name)), TestWork.patient());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    void every_volume_is_on_one_page(int size) throws Exception {
        for (int number : List.of(1, 2, 3, 4, 5)) {
            Files.createDirectories(folder.resolve("scratch").resolve(volume(number)));
        }
        for (int number : List.of(8, 9)) {
            Files.createDirectories(folder.resolve("legacy").resolve(volume(number)));
        }
        try (VolumeStore store = new PoolFixture("existing").open(pool("scratch"), pool("legacy"))) {
            shadow(store, 1, new NativeId(volume(3)));
            shadow(store, 2, new NativeId(volume(3)));

            assertThat(pages(store, size))
                    .containsExactly(
                            volume(3),
                            volume(4),
                            volume(5),
                            volume(8),
                            volume(9),
                            "scratch/" + volume(1),
                            "scratch/" + volume(2));
        }
    }

    private static List<String> pages(VolumeStore store, int size) {
        List<String> listed = new ArrayList<>();
        PageRequest next = PageRequest.first(size);
        for (boolean more = true; more; ) {
            Page<StoredVolume> page = store.list(next, TestWork.patient());
            page.items().forEach(volume -> listed.add(volume.id().value()));
            more = page.more();
            assertThat(more && page.items().isEmpty())
                    .as("an empty page before the last")
                    .isFalse();
            next = new PageRequest(Optional.of(listed.getLast()), size);
        }
        return listed;
    }
}
