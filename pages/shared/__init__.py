"""All Streamlit that pages share."""
