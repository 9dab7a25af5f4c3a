const videoOf = ({ dataset }: HTMLElement): HTMLVideoElement => {
  const video = document.createElement('video');
  Object.assign(video, { controls: true, autoplay: true, playsInline: true });
  const source = document.createElement('source');
  Object.assign(source, { src: dataset['video'] ?? '', type: dataset['videoType'] ?? '' });
  const captions = document.createElement('track');
  const track = {
    kind: 'captions',
    srclang: 'en',
    label: 'English',
    src: dataset['captions'] ?? '',
    default: true,
  };
  Object.assign(captions, track);
  video.append(source, captions);
  video.setAttribute('aria-label', 'Demo of the extension');
  return video;
};

/** The video takes the place of its poster, in the same size. */
export const startVideo = (root: HTMLElement): void => {
  const button = root.querySelector<HTMLElement>('[data-video]');
  const poster = button?.closest('figure');
  if (!button || !poster) return;
  button.addEventListener('click', () => {
    const video = videoOf(button);
    poster.style.height = `${poster.offsetHeight}px`;
    poster.classList.add('poster--video');
    poster.replaceChildren(video);
    video.focus();
  });
};
