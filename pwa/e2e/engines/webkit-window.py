#!/usr/bin/python3
"""A bare WebKitGTK window for WebKitWebDriver, which starts it: 390 px wide as a phone, with tabs, and a profile that lasts.

--profile=DIR (without one nothing is kept, as in a private window), --size=WxH, --dark, --skip-links (Tab goes past them), --ua=TEXT, --downloads=DIR,
--features=+A,-B (names of WebKitSettings' features), --log=FILE (what pages and workers print, with what the policy refused).
"""
import os
import sys

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

options = {key: value for key, _, value in (word[2:].partition('=') for word in sys.argv[1:] if word.startswith('--'))}
if 'log' in options:
    log = os.open(options['log'], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(log, 1)
    os.dup2(log, 2)

Gtk.init(None)
look = Gtk.Settings.get_default()
# As on Apple's systems: letters aren't pulled to whole pixels.
for name, value in (('antialias', 1), ('hinting', 0), ('hintstyle', 'hintnone'), ('rgba', 'none')):
    look.set_property(f'gtk-xft-{name}', value)
look.set_property('gtk-application-prefer-dark-theme', 'dark' in options)

if 'profile' in options:
    profile = options['profile']
    manager = WebKit2.WebsiteDataManager(base_data_directory=f'{profile}/data', base_cache_directory=f'{profile}/cache')
    cookies = manager.get_cookie_manager()
    cookies.set_persistent_storage(f'{profile}/cookies.sqlite', WebKit2.CookiePersistentStorage.SQLITE)
    context = WebKit2.WebContext(website_data_manager=manager)
else:
    context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)

settings = WebKit2.Settings(
    enable_write_console_messages_to_stdout=True,
    enable_developer_extras=True,
    enable_webrtc=False,
    enable_page_cache=True,
    # There's no graphics card: drawing for one that's made up takes a fifth of the time.
    hardware_acceleration_policy=WebKit2.HardwareAccelerationPolicy.NEVER,
    enable_tabs_to_links='skip-links' not in options,
)
if 'ua' in options:
    settings.set_property('user-agent', options['ua'])
every = WebKit2.Settings.get_all_features()
features = {every.get(at).get_identifier(): every.get(at) for at in range(every.get_length())}
for word in filter(None, options.get('features', '').split(',')):
    settings.set_feature_enabled(features[word[1:]], word[0] == '+')

window = Gtk.Window()
window.set_decorated(False)
window.set_default_size(*(int(side) for side in options['size'].split('x')))
tabs = Gtk.Notebook(show_tabs=False, show_border=False)
window.add(tabs)


def open_tab(opener=None):
    shared = {'related_view': opener} if opener else {'web_context': context}
    view = WebKit2.WebView(settings=settings, is_controlled_by_automation=True, **shared)
    view.connect('create', lambda opened_by, _action: open_tab(opened_by))
    view.connect('close', lambda closed: closed.destroy())
    view.connect('permission-request', lambda _view, request: request.allow() or True)
    view.connect('web-process-terminated', lambda _view, reason: print('CONSOLE ERROR process ended', reason, flush=True))
    view.connect('decide-policy', decide)
    # A tab that's gone to is seen.
    view.connect('grab-focus', lambda found: tabs.set_current_page(tabs.page_num(found)))
    view.show()
    tabs.set_current_page(tabs.append_page(view))
    window.show_all()
    window.move(0, 0)
    view.grab_focus()
    return view


def decide(_view, decision, kind):
    if kind == WebKit2.PolicyDecisionType.RESPONSE and not decision.is_mime_type_supported():
        decision.download()
        return True
    return False


def download(_context, started):
    def place(file, name):
        file.set_destination(f'file://{options["downloads"]}/{name}')
        return True

    if 'downloads' in options:
        started.connect('decide-destination', place)


def automation_started(_context, session):
    about = WebKit2.ApplicationInfo()
    about.set_name('Window')
    about.set_version(1, 0, 0)
    session.set_application_info(about)
    session.connect('create-web-view', lambda _session: open_tab())
    # What pages have just stored is still on its way to the disk.
    session.connect('will-close', lambda _session: GLib.timeout_add(700, Gtk.main_quit))


context.connect('download-started', download)
context.connect('automation-started', automation_started)
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, 15, Gtk.main_quit)
Gtk.main()
