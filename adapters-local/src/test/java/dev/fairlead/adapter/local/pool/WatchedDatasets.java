package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.pool.dataset.Datasets;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;

/** Tells of each run of {@code zfs} before it begins. */
final class WatchedDatasets {
    private WatchedDatasets() {}

    /** @param watcher told the name of the method, and of the dataset or snapshot */
    static Datasets of(Datasets played, BiConsumer<String, String> watcher) {
        return (Datasets) Proxy.newProxyInstance(
                WatchedDatasets.class.getClassLoader(), new Class<?>[] {Datasets.class}, (_, method, words) -> {
                    if (!method.getName().equals("of")) { // which reads a file
                        watcher.accept(method.getName(), words[0].toString());
                    }
                    try {
                        return method.invoke(played, words);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
