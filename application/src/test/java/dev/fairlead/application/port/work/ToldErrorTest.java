package dev.fairlead.application.port.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ToldErrorTest {
    private final ToldError told = new ToldError();

    @Test
    void an_error_is_new_once_as_long_as_it_is_repeated() {
        assertThat(told.isNew(new IllegalStateException("one"))).isTrue();

        assertThat(told.isNew(new IllegalStateException("one"))).isFalse();
    }

    @Test
    void another_one_is_new_and_so_is_the_first_after_that() {
        assertThat(told.isNew(new IllegalStateException("one"))).isTrue();

        assertThat(told.isNew(new IllegalStateException("two"))).isTrue();
        assertThat(told.isNew(new IllegalStateException("one"))).isTrue();
    }

    @Test
    void one_that_comes_again_after_a_try_went_well_is_new() {
        assertThat(told.isNew(new IllegalStateException("one"))).isTrue();

        told.over();

        assertThat(told.isNew(new IllegalStateException("one"))).isTrue();
    }
}
