package dev.fairlead.zfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.capacity.Capacity;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockSizeTest {
    @ParameterizedTest
    @CsvSource({"512,512", "16K,16384", "16k,16384", "131072,131072", "128K,131072", " 32K ,32768"})
    void reads_what_the_peers_files_hold(String text, int bytes) {
        assertThat(BlockSize.of(text)).contains(new BlockSize(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "3K", "256K", "1M", "16KB", "-16K", "99999999999"})
    void refuses_what_is_no_block_size(String text) {
        assertThat(BlockSize.of(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1000000000,1000013824", "16384,16384", "1,16384", "0,16384"})
    void rounds_up_to_whole_blocks_as_the_peer_does(long wanted, long made) {
        assertThat(BlockSize.DEFAULT.atLeast(Capacity.ofBytes(wanted))).isEqualTo(Capacity.ofBytes(made));
    }

    @Property
    void never_makes_a_volume_that_is_smaller_or_a_block_larger(
            @ForAll @LongRange(min = 1, max = 1L << 50) long wanted) {
        long made = BlockSize.DEFAULT.atLeast(Capacity.ofBytes(wanted)).bytes();

        assertThat(made - wanted).isBetween(0L, (long) BlockSize.DEFAULT.bytes() - 1);
        assertThat(made % BlockSize.DEFAULT.bytes()).isZero();
    }
}
