package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.PlacementReading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A source of one driver that places all volumes alike, and that may hang. */
final class SlowSource implements PlacementSource {
    private final String driver;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private String[] hosts = {};
    private boolean fails;
    private CountDownLatch hold = new CountDownLatch(0);

    SlowSource(String driver) {
        this.driver = driver;
    }

    void place(String... on) {
        hosts = on;
    }

    void hang() {
        hold = new CountDownLatch(1);
    }

    void fail() {
        fails = true;
    }

    void goOn() {
        hold.countDown();
    }

    List<String> asked() {
        List<String> all = List.copyOf(asked);
        asked.clear();
        return all;
    }

    @Override
    public String name() {
        return driver;
    }

    @Override
    public boolean answersFor(PlacedVolume volume) {
        return volume.driver().equals(driver);
    }

    @Override
    public Map<String, PlacementReading> read(List<PlacedVolume> volumes) {
        asked.add(String.join(
                " ", new TreeSet<>(volumes.stream().map(PlacedVolume::name).toList())));
        try {
            hold.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (fails) {
            fails = false;
            throw new StackOverflowError("staged");
        }
        Map<String, PlacementReading> readings = new HashMap<>();
        volumes.forEach(
                volume -> readings.put(volume.name(), PlacementReading.of(StagedSource.segments(hosts), "", "why")));
        return readings;
    }

    @Override
    public void listen(PlacementHints listener) {}

    @Override
    public void close() {}
}
