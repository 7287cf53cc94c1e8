package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a later process knows of a base that an earlier one saw. */
class SeenBaseTest {
    @Test
    void a_base_of_another_programs_volumes_alone_is_known_as_such() {
        BaseFolderSigns others = new BaseFolderSigns(Set.of(), List.of(), Optional.empty(), true);
        BaseFolderSigns bare = new BaseFolderSigns(Set.of(), List.of(), Optional.empty(), false);

        SeenBase later = SeenBase.of(new SeenBase(others, false, Optional.empty()).fields());

        assertThat(later.signs().lostIn(others)).isEmpty();
        assertThat(later.signs().lostIn(bare)).isPresent();
    }
}
