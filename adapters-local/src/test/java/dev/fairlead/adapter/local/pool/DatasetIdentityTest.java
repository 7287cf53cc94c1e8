package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.pool.identity.DatasetIdentity;
import dev.fairlead.adapter.local.pool.identity.DiskIdentity;
import dev.fairlead.domain.topology.TopologyLabels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pool of ZFS is known by, whichever node has imported it. */
class DatasetIdentityTest {
    private static final DiskIdentity OTHERS = _ -> Optional.of("uuid-of-another");

    @TempDir(factory = InMemory.class)
    Path folder;

    @Test
    void a_folder_on_a_dataset_has_its_number_which_can_be_a_label() throws IOException {
        PlayedDatasets datasets = new PlayedDatasets(folder);
        String guid = datasets.guid(datasets.of(folder).orElseThrow()).orElseThrow();

        assertThat(new DatasetIdentity(datasets, OTHERS).of(folder)).contains(guid);
        assertThat(TopologyLabels.valueProblem(guid)).isEmpty();
    }

    @Test
    void a_dataset_that_tells_no_number_has_no_identity_and_never_that_of_a_file_system() throws IOException {
        PlayedDatasets datasets = new PlayedDatasets(folder);
        datasets.lose();

        assertThat(new DatasetIdentity(datasets, OTHERS).of(folder)).isEmpty();
    }

    @Test
    void where_no_dataset_is_the_file_system_is_asked() throws IOException {
        assertThat(new DatasetIdentity(PlayedDatasets.NONE, OTHERS).of(folder)).contains("uuid-of-another");
    }
}
