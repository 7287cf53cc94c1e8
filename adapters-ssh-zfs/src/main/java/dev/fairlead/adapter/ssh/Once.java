package dev.fairlead.adapter.ssh;

import java.util.Optional;
import java.util.function.Supplier;

/** Makes a value when it is first asked for and returns the same one from then on. */
final class Once<T> implements Supplier<T> {
    private final Supplier<T> maker;
    private Optional<T> made = Optional.empty();

    Once(Supplier<T> maker) {
        this.maker = maker;
    }

    @Override
    public synchronized T get() {
        T value = made.orElseGet(maker);
        made = Optional.of(value);
        return value;
    }
}
