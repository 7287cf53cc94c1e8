package dev.fairlead.adapter.freenas.store.create;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.util.Optional;

/** Gives a new filesystem's root its mode and owner, by jobs that are awaited: what is not done is not believed. */
record MountpointPermissions(TruenasApi api, ZfsSettings.Permissions wanted) {
    private static final String NUMBER = "[0-9]{1,10}";

    boolean isNeeded() {
        return wanted.mode().isPresent() || hasOwner();
    }

    /** Says whether a volume that is made has any to be set. */
    boolean isNeeded(Birth birth) {
        return birth.medium().kind() == VolumeMedium.Kind.FILESYSTEM && isNeeded();
    }

    /** Sets them on the dataset of a volume that is made, if it has any; throws if it is not mounted. */
    void apply(Birth birth, DatasetEntry made, Work work) {
        if (isNeeded(birth)) {
            String path = made.text("mountpoint")
                    .orElseThrow(() -> new StorageException(new Failure.BackendUnavailable(
                            api.connection(), made.name() + " is not mounted on the box")));
            apply(path, birth.request().content() instanceof Content.Empty, work);
        }
    }

    private boolean hasOwner() {
        return wanted.user().isPresent() || wanted.group().isPresent();
    }

    /**
     * Sets them, and throws if the box refuses or a job fails. The ACL of content that comes from another volume stays,
     * and with it the mode, which a box changes only without an ACL.
     *
     * @param isEmpty whether there is nothing in the volume yet
     */
    void apply(String path, boolean isEmpty, Work work) {
        if (wanted.mode().isPresent()) {
            var fields = owned(path);
            fields.addProperty("mode", wanted.mode().get());
            run(ApiAction.FILESYSTEM_SETPERM, fields, path, isEmpty, work);
        } else if (hasOwner()) {
            run(ApiAction.FILESYSTEM_CHOWN, owned(path), path, isEmpty, work);
        }
    }

    private JsonObject owned(String path) {
        var fields = new JsonObject();
        fields.addProperty("path", path);
        account(fields, "uid", "user", wanted.user());
        account(fields, "gid", "group", wanted.group());
        return fields;
    }

    private static void account(JsonObject fields, String number, String name, Optional<String> account) {
        account.ifPresent(text -> {
            if (text.matches(NUMBER)) {
                fields.add(number, new JsonPrimitive(Long.valueOf(text)));
            } else {
                fields.addProperty(name, text);
            }
        });
    }

    /** Runs the job; takes an ACL away only if the box asks for that, since a new dataset may inherit one. */
    private void run(ApiAction action, JsonObject fields, String path, boolean isEmpty, Work work) {
        ApiResult result = api.run(ApiCall.of(action, fields), path, work);
        if (result instanceof ApiResult.Refused refused && refused.says("stripacl")) {
            if (!isEmpty) {
                return;
            }
            var options = new JsonObject();
            options.addProperty("stripacl", true);
            fields.add("options", options);
            result = api.run(ApiCall.of(action, fields), path, work);
        }
        result.orThrow();
    }
}
