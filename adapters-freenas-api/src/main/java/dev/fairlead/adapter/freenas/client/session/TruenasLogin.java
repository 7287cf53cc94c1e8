package dev.fairlead.adapter.freenas.client.session;

import dev.fairlead.application.config.Secret;
import java.util.Optional;

/** Holds by what a session is logged in: a key, with its user's name if that is known, or a name and a password. */
public record TruenasLogin(Optional<String> username, Optional<Secret> apiKey, Optional<Secret> password) {}
