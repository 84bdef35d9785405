import CarillonPage
import CarillonServer

extension WebPage {
    /// Returns the page of `carillon up`: two phones beside the form, with the timeline below.
    ///
    /// - Parameter typeface: the typeface of the phones' screens; `nil` if this machine does not have it.
    /// - Returns: the page.
    static func phones(typeface: PhoneTypeface?) -> WebPage {
        guard let typeface else { return WebPage(phonesFiles + guides) }
        let files = phonesFiles.map { file in
            file.name == "typeface.css" ? PageFile(file.name, file.bytes + [UInt8](typeface.rules.utf8)) : file
        }
        return WebPage(files + guides + typeface.files)
    }

    /// The pages of docs/ to which the page or one of them links, as text: the page draws them (`guide-view.js`).
    static let guides = [
        PageFile("docs/apple-coverage.md", PackageResources.apple_coverage_md),
        PageFile("docs/audiences.md", PackageResources.audiences_md),
        PageFile("docs/glossary.md", PackageResources.glossary_md),
        PageFile("docs/sending.md", PackageResources.sending_md),
        PageFile("docs/texts.md", PackageResources.texts_md),
        PageFile("docs/the-five-articles.md", PackageResources.the_five_articles_md),
        PageFile("docs/why-not-shown.md", PackageResources.why_not_shown_md),
    ]

    /// All source files of the page with the phones.
    static let phonesFiles =
        sharedFiles + [
            PageFile("absence.js", PackageResources.absence_js),
            PageFile("app-focus.js", PackageResources.app_focus_js),
            PageFile("app-view.js", PackageResources.app_view_js),
            PageFile("appearance.js", PackageResources.appearance_js),
            PageFile("boot-screen.js", PackageResources.boot_screen_js),
            PageFile("calls.css", PackageResources.calls_css),
            PageFile("card-drags.js", PackageResources.card_drags_js),
            PageFile("card-picture.js", PackageResources.card_picture_js),
            .cards,
            PageFile("code-editor.js", PackageResources.code_editor_js),
            PageFile("face-id.js", PackageResources.face_id_js),
            PageFile("first-steps.js", PackageResources.first_steps_js),
            PageFile("fit-text.js", PackageResources.fit_text_js),
            PageFile("gestures.js", PackageResources.gestures_js),
            PageFile("give-away.js", PackageResources.give_away_js),
            PageFile("glance.js", PackageResources.glance_js),
            PageFile("guide-view.js", PackageResources.guide_view_js),
            PageFile("guide.css", PackageResources.guide_css),
            PageFile("index.html", PackageResources.index_html),
            PageFile("inspect.css", PackageResources.inspect_css),
            PageFile("inspect.js", PackageResources.inspect_js),
            PageFile("journey.js", PackageResources.journey_js),
            PageFile("keep-focus.js", PackageResources.keep_focus_js),
            PageFile("language-note.js", PackageResources.language_note_js),
            PageFile("live-activity.css", PackageResources.live_activity_css),
            PageFile("live-activity.js", PackageResources.live_activity_js),
            PageFile("live-form.js", PackageResources.live_form_js),
            PageFile("live-steps.js", PackageResources.live_steps_js),
            PageFile("log.js", PackageResources.log_js),
            PageFile("looks.css", PackageResources.looks_css),
            PageFile("main.js", PackageResources.main_js),
            PageFile("markdown.js", PackageResources.markdown_js),
            PageFile("note-changes.js", PackageResources.note_changes_js),
            PageFile("note-list.js", PackageResources.note_list_js),
            PageFile("note-stacks.js", PackageResources.note_stacks_js),
            PageFile("notification-card.js", PackageResources.notification_card_js),
            PageFile("paint-words.js", PackageResources.paint_words_js),
            PageFile("paint.js", PackageResources.paint_js),
            PageFile("phone-call.js", PackageResources.phone_call_js),
            PageFile("phone-icons.js", PackageResources.phone_icons_js),
            PageFile("phone-now.js", PackageResources.phone_now_js),
            PageFile("phone-picture.js", PackageResources.phone_picture_js),
            PageFile("phone-time.js", PackageResources.phone_time_js),
            PageFile("phone.js", PackageResources.phone_js),
            PageFile("phones-api.js", PackageResources.phones_api_js),
            PageFile("phones.css", PackageResources.phones_css),
            PageFile("predictions.js", PackageResources.predictions_js),
            PageFile("push-problem.js", PackageResources.push_problem_js),
            PageFile("push-times.js", PackageResources.push_times_js),
            PageFile("raw-push.js", PackageResources.raw_push_js),
            PageFile("scene-plan.js", PackageResources.scene_plan_js),
            PageFile("scene-player.js", PackageResources.scene_player_js),
            PageFile("scenes.css", PackageResources.scenes_css),
            PageFile("screen-drags.js", PackageResources.screen_drags_js),
            PageFile("send-warnings.js", PackageResources.send_warnings_js),
            PageFile("sent.js", PackageResources.sent_js),
            PageFile("settings-words.js", PackageResources.settings_words_js),
            PageFile("settings.css", PackageResources.settings_css),
            PageFile("settings.js", PackageResources.settings_js),
            PageFile("share.js", PackageResources.share_js),
            PageFile("sounds.js", PackageResources.sounds_js),
            PageFile("stage-bar.js", PackageResources.stage_bar_js),
            PageFile("stage-mode.js", PackageResources.stage_mode_js),
            PageFile("stage.css", PackageResources.stage_css),
            PageFile("stream.js", PackageResources.stream_js),
            PageFile("tabs.js", PackageResources.tabs_js),
            PageFile("toolbar.js", PackageResources.toolbar_js),
            PageFile("touch-queue.js", PackageResources.touch_queue_js),
            PageFile("travel.css", PackageResources.travel_css),
            PageFile("travel.js", PackageResources.travel_js),
            PageFile("typeface.css", PackageResources.typeface_css),
            PageFile("virtual-list.js", PackageResources.virtual_list_js),
        ]
}
