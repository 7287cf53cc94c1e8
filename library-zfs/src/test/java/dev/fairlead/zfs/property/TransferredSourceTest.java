package dev.fairlead.zfs.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.volume.Content;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TransferredSourceTest {
    @Test
    void what_is_written_is_read_again() {
        Stream.of(Content.Kind.values())
                .map(kind -> new Content.Transferred(kind, "s:east/pvc-1@snap 1"))
                .forEach(content -> assertThat(TransferredSource.read(TransferredSource.write(content)))
                        .contains(content));
    }

    @Test
    void what_others_wrote_says_nothing() {
        Stream.of("", "snapshot", "clone s:east/a", "-")
                .forEach(text -> assertThat(TransferredSource.read(text)).isEmpty());
    }
}
