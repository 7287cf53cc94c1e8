package dev.fairlead.adapter.freenas.nvmet;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Shows each volume as the one namespace of a subsystem of its own, with the names that democratic-csi gives them, and
 * takes them away again.
 */
record SubsystemExports(SubsystemCalls calls, SubsystemAccess access, SubsystemSettings settings) {
    /**
     * Holds the rows by which a volume is shown.
     *
     * @param fresh whether the subsystem was made just now, so that no port shows it and it has no hosts
     */
    record Shown(JsonObject subsystem, JsonObject namespace, boolean fresh) {}

    /**
     * Shows a volume by no port yet, or finds it shown.
     *
     * @throws StorageException {@code NotOurs} if a subsystem of that name shows something else, or another one shows
     *     the volume
     */
    Shown show(String volume, String name, String disk, boolean isOpen, Work work) {
        Optional<JsonObject> there = calls.subsystem(name, work);
        Optional<JsonObject> device = calls.namespaces(disk, work).stream().findFirst();
        boolean foreign = device.filter(namespace -> there.filter(
                                subsystem -> ExportRows.id(subsystem) == SubsystemCalls.subsystemOf(namespace))
                        .isEmpty())
                .isPresent();
        if (foreign) {
            throw notOurs(volume, "another NVMe subsystem than " + name + ", which shows its device");
        }
        if (there.filter(subsystem -> showsOthers(subsystem, disk, work)).isPresent()) {
            throw notOurs(volume, "the NVMe subsystem " + name + ", which shows another device");
        }
        Optional<JsonObject> made = there.isPresent() ? Optional.empty() : make(name, isOpen, work);
        // One that the box refuses to make is another call's, which may have let somebody in.
        JsonObject subsystem =
                made.or(() -> there).orElseGet(() -> calls.makeSubsystem(name, settings.subsystem(), isOpen, work));
        JsonObject namespace = device.orElseGet(() -> calls.makeNamespace(subsystem, disk, settings.namespace(), work));
        return new Shown(subsystem, namespace, made.isPresent());
    }

    /** Shows a new volume by no port yet, without a look; looks if the box refuses. */
    Shown showNew(String volume, String name, String disk, boolean isOpen, Work work) {
        return make(name, isOpen, work)
                .flatMap(made -> calls.makeNewNamespace(made, disk, settings.namespace(), work)
                        .map(namespace -> new Shown(made, namespace, true)))
                .orElseGet(() -> show(volume, name, disk, isOpen, work));
    }

    /** Makes a subsystem if none of its name is there. */
    private Optional<JsonObject> make(String name, boolean isOpen, Work work) {
        Optional<JsonObject> made = calls.makeNewSubsystem(name, settings.subsystem(), isOpen, work);
        made.ifPresent(access::settle);
        return made;
    }

    private static StorageException notOurs(String volume, String found) {
        return new StorageException(new Failure.NotOurs(volume, found));
    }

    /** Lets exactly these hosts reach a volume that is shown. */
    void letIn(Shown shown, String disk, List<Long> ports, Set<String> hosts, Work work) {
        access.letIn(shown.subsystem(), ports, hosts, work);
        boolean late = access.mayOpenLateByThis(shown.subsystem());
        if (late && hosts.isEmpty()) {
            remove(shown.subsystem(), disk, work);
        }
    }

    /**
     * Shuts all but these hosts out of every subsystem that shows a volume, and of one of its name that shows nothing
     * yet. From one that has another name or shows other devices too, only the volume's namespace is taken away: the
     * hosts are those of an administrator. If nobody remains and a call whose end was not seen may still let somebody
     * in, the subsystem goes: what that call names is then gone, and the next export makes another one. If somebody
     * remains, it is not answered as long as such a call may come; a process that began lately takes it that there was
     * one.
     */
    void revoke(Optional<String> name, String disk, Set<String> remaining, Work work) {
        for (JsonObject subsystem : ofVolume(name, disk, work)) {
            if (!isOurs(subsystem, name) || showsOthers(subsystem, disk, work)) {
                hide(subsystem, disk, work);
                continue;
            }
            access.revoke(subsystem, remaining, work);
            boolean late = access.mayOpenLate(subsystem);
            if (remaining.isEmpty() && late) {
                remove(subsystem, disk, work);
            } else if (late) {
                throw calls.rows()
                        .unavailable("a change of subsystem " + SubsystemCalls.name(subsystem)
                                + " whose end was not seen may still come; it is looked at again");
            }
        }
    }

    /** Says whether a subsystem has the volume's name. If that is not known, all are taken for ours. */
    private static boolean isOurs(JsonObject subsystem, Optional<String> name) {
        return name.filter(made -> !made.equals(SubsystemCalls.name(subsystem))).isEmpty();
    }

    private boolean showsOthers(JsonObject subsystem, String disk, Work work) {
        return calls.namespaces(subsystem, work).stream()
                .anyMatch(namespace -> !SubsystemCalls.path(namespace).equals(disk));
    }

    private void hide(JsonObject subsystem, String disk, Work work) {
        calls.namespaces(subsystem, work).stream()
                .filter(namespace -> SubsystemCalls.path(namespace).equals(disk))
                .forEach(namespace -> calls.deleteNamespace(namespace, work));
    }

    private List<JsonObject> ofVolume(Optional<String> name, String disk, Work work) {
        List<JsonObject> shown = calls.namespaces(disk, work).stream()
                .flatMap(namespace -> calls.subsystem(SubsystemCalls.subsystemOf(namespace), work).stream())
                .toList();
        return withNamed(shown, name, work);
    }

    /** Returns the same, and the subsystem of the volume's name if it shows nothing yet. */
    private List<JsonObject> withNamed(List<JsonObject> shown, Optional<String> name, Work work) {
        List<JsonObject> subsystems = new ArrayList<>(shown);
        name.filter(text -> subsystems.stream()
                        .noneMatch(known -> SubsystemCalls.name(known).equals(text)))
                .flatMap(text -> calls.subsystem(text, work))
                .filter(found -> calls.namespaces(found, work).isEmpty())
                .ifPresent(subsystems::add);
        return subsystems;
    }

    /**
     * Takes away all that shows a volume: its namespaces, and the subsystem of its name if that shows nothing else. One
     * of another name than the volume's, if that is known, is an administrator's, and stays without the volume.
     */
    void remove(Optional<String> name, String disk, Work work) {
        List<JsonObject> namespaces = calls.namespaces(disk, work);
        List<JsonObject> subsystems = withNamed(calls.subsystemsOf(namespaces, work), name, work);
        namespaces.forEach(namespace -> calls.deleteNamespace(namespace, work));
        for (JsonObject subsystem : subsystems) {
            List<JsonObject> left = calls.namespaces(subsystem, work);
            if (left.stream()
                    .anyMatch(namespace -> SubsystemCalls.path(namespace).equals(disk))) {
                throw calls.rows().unavailable("the namespace of " + disk + " was deleted, and is there again");
            }
            if (isOurs(subsystem, name) && left.isEmpty()) {
                delete(subsystem, work);
            }
        }
    }

    private void remove(JsonObject subsystem, String disk, Work work) {
        hide(subsystem, disk, work);
        if (calls.namespaces(subsystem, work).isEmpty()) {
            delete(subsystem, work);
        }
    }

    private void delete(JsonObject subsystem, Work work) {
        calls.deleteSubsystem(subsystem, work);
        if (calls.subsystem(ExportRows.id(subsystem), work).isPresent()) {
            throw calls.rows()
                    .untrue("subsystem " + SubsystemCalls.name(subsystem) + " was deleted, and is still there");
        }
        access.settle(subsystem);
    }
}
