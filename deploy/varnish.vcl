vcl 4.1;
# Varnish in front of Alliance: keeps what the site says may be kept, and drops it when the site says it changed.
# Start the site with CDN_PURGE_URL=http://127.0.0.1:6081/purge. TLS is Caddy's or nginx's, in front of this.
import std;

backend default {
    .host = "127.0.0.1";
    .port = "3000";
    .probe = { .url = "/ready"; .interval = 5s; .timeout = 2s; .window = 3; .threshold = 2; }
}

acl purgers { "127.0.0.1"; "::1"; }

sub vcl_recv {
    if (req.url == "/purge") {
        # Varnish adds the client's address. A second one is from a proxy before us, so it isn't the site that asks.
        if (req.method != "POST" || client.ip !~ purgers || req.http.X-Forwarded-For ~ ",") { return (synth(403)); }
        if (req.http.Surrogate-Key !~ "^[a-z0-9-]+( [a-z0-9-]+)*$") { return (synth(400)); }
        ban("obj.http.Surrogate-Key ~ (^|\s)(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")(\s|$)");
        return (synth(200));
    }
    if (req.method != "GET" && req.method != "HEAD") { return (pass); }
    # People's own data, live state, and pages with a secret in their address.
    if (req.url ~ "^/(api|sandbox|health|ready|metrics)(/|$|\?)") { return (pass); }
    set req.url = regsuball(req.url, "(?<=[?&])(utm_\w+|gclid|fbclid)=[^&]*&?", "");
    set req.url = regsub(req.url, "[?&]$", "");
    if (req.url ~ "\?" && req.url !~ "\?look=[\w-]*$") { return (pass); }
    # Public pages are the same for everyone. The browser keeps its cookie; the site doesn't see it here.
    unset req.http.Cookie;
    unset req.http.Authorization;
    return (hash);
}

sub vcl_backend_response {
    if (beresp.http.Set-Cookie || beresp.http.Cache-Control ~ "private|no-store") {
        set beresp.uncacheable = true;
        set beresp.ttl = 2s;
    } elsif (beresp.http.Surrogate-Control ~ "max-age=[0-9]+") {
        set beresp.ttl = std.duration(regsub(beresp.http.Surrogate-Control, ".*max-age=([0-9]+).*", "\1") + "s", 0s);
        set beresp.grace = 0s;
    } elsif (beresp.http.Cache-Control !~ "immutable") {
        set beresp.uncacheable = true;
        set beresp.ttl = 2s;
    }
    return (deliver);
}

sub vcl_deliver {
    unset resp.http.Surrogate-Control;
    unset resp.http.Surrogate-Key;
    if (obj.hits > 0) { set resp.http.X-Cache = "hit"; } else { set resp.http.X-Cache = "miss"; }
}
