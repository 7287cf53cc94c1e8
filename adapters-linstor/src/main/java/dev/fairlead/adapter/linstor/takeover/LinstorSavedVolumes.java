package dev.fairlead.adapter.linstor.takeover;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.adapter.linstor.client.LinstorList;
import dev.fairlead.adapter.linstor.source.LinstorPlacementSource;
import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.http.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds the PersistentVolumes that LINSTOR's affinity controller has kept in a property: of a volume definition, or of
 * a resource definition before its version 1.5. Nothing else in LINSTOR is changed.
 */
public final class LinstorSavedVolumes implements SavedVolumes {
    private static final String SAVED = "Aux/affinity-updater-saved-pv";
    private static final String WITH_VOLUMES = "with_volume_definitions";
    private static final List<String> DEFINITIONS = List.of("v1", "resource-definitions");
    private static final String NUMBER = "volume_number";
    private static final Set<String> KEYS = Set.of("name", "volume_definitions", NUMBER, "props", SAVED);

    private final Controllers controllers;

    public LinstorSavedVolumes(Controllers controllers) {
        this.controllers = controllers;
    }

    @Override
    public List<SavedVolume> all() {
        List<SavedVolume> all = new ArrayList<>();
        var list = new LinstorList<>(
                DEFINITIONS, KEYS, "listing what is kept of PersistentVolumes", LinstorSavedVolumes::of);
        controllers.pages(list, Map.of(WITH_VOLUMES, "true"), Controllers.PAGE, all::addAll);
        return all;
    }

    private static List<SavedVolume> of(JsonObject definition) {
        String name = Json.text(definition, "name").orElse("");
        List<SavedVolume> found = new ArrayList<>();
        Set<String> handles = new TreeSet<>(Set.of(name));
        for (JsonObject volume : Json.objects(definition, "volume_definitions")) {
            long number = Json.number(volume, NUMBER).orElse(0L);
            Set<String> its = number == 0 ? Set.of(name, name + "/0") : Set.of(name + "/" + number);
            handles.addAll(its);
            text(volume)
                    .ifPresent(text -> found.add(new SavedVolume(
                            LinstorPlacementSource.DRIVER, its, name, place(path(name, number)), text)));
        }
        // The older one is looked at once the newer ones are ended: a migration writes those first.
        if (found.isEmpty()) {
            text(definition)
                    .ifPresent(text -> found.add(
                            new SavedVolume(LinstorPlacementSource.DRIVER, handles, name, place(path(name)), text)));
        }
        return found;
    }

    private static Optional<String> text(JsonObject owner) {
        return Json.text(Json.child(owner, "props"), SAVED).filter(text -> !text.isEmpty());
    }

    @Override
    public boolean remove(SavedVolume saved) {
        Optional<Owner> owner = owner(saved);
        Optional<String> now = owner.flatMap(Owner::text);
        if (owner.isEmpty() || now.isEmpty()) return true;
        if (!now.get().equals(saved.text())) return false;
        controllers.removeProperty(owner.get().path(), SAVED, "removing " + saved.place());
        return owner(saved).flatMap(Owner::text).isEmpty();
    }

    /** Returns what has the property that was read; empty if it is not there any more. */
    private Optional<Owner> owner(SavedVolume saved) {
        return owners(saved.resource())
                .filter(owner -> place(owner.path()).equals(saved.place()))
                .findFirst();
    }

    private record Owner(List<String> path, JsonObject object) {
        Optional<String> text() {
            return LinstorSavedVolumes.text(object);
        }
    }

    private Stream<Owner> owners(String resource) {
        Map<String, String> one = Map.of(WITH_VOLUMES, "true", "resource_definitions", resource);
        return controllers.list(DEFINITIONS, one, "reading the resource definition " + resource).stream()
                .filter(definition ->
                        Json.text(definition, "name").filter(resource::equals).isPresent())
                .flatMap(definition -> Stream.concat(
                        Json.objects(definition, "volume_definitions").stream()
                                .map(volume -> new Owner(
                                        path(
                                                resource,
                                                Json.number(volume, NUMBER).orElse(0L)),
                                        volume)),
                        Stream.of(new Owner(path(resource), definition))));
    }

    private static List<String> path(String resource) {
        return Stream.concat(DEFINITIONS.stream(), Stream.of(resource)).toList();
    }

    private static List<String> path(String resource, long number) {
        return Stream.concat(path(resource).stream(), Stream.of("volume-definitions", Long.toString(number)))
                .toList();
    }

    /** Returns the name of the property of what is at a path. */
    private static String place(List<String> path) {
        String owner = path.size() == DEFINITIONS.size() + 1
                ? "resource definition " + path.getLast()
                : "volume definition " + path.get(DEFINITIONS.size()) + "/" + path.getLast();
        return "the property " + SAVED + " of the " + owner;
    }

    @Override
    public void close() {
        controllers.close();
    }
}
