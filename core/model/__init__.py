"""What the parts of Ranklens talk about: measures, conventions, judgments, runs. No file is read and no score computed here."""
